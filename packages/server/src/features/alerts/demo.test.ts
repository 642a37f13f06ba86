import type { Alert } from "@flamekeep/contract";
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "#failure";
import { limitRates } from "#http/endpoint/rate-limit.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { type Manifest, readManifest } from "../demo/manifest.ts";
import { replay, storedSince } from "../demo/replay.ts";
import { type Ingestion, registerIngest } from "../ingest/routes.ts";
import { runAlerts } from "./job.ts";

/** The time of the start decides in which order the recordings are sent. A release shows late in some of these orders. */
const starts = ["2026-11-26T01:27:30.000Z", "2026-11-26T00:58:00.000Z", "2026-11-28T06:44:20.000Z"];

const lease = { name: "alerts", holder: "this test", lastsMs: 60_000 };
const headers = { authorization: "Bearer test-api-key" };

/** The services of `npm test`: of each the types about which alerts are expected, and one or two about which none are. */
const shortened: Readonly<Record<string, readonly string[]>> = {
  checkout: ["metrics", "cpu", "memory"],
  catalog: ["cpu", "memory"],
  search: ["goroutine"],
};
const cpuServices = isFullLength ? ["checkout", "catalog", "search", "gateway"] : ["checkout", "catalog"];

async function sentManifest(): Promise<Manifest> {
  const manifest = await readManifest();
  const recordings = manifest.recordings.map((recording) => ({
    ...recording,
    files: recording.files.filter(({ type }) => isFullLength || shortened[recording.service]?.includes(type)),
  }));
  return { ...manifest, recordings };
}

/** Sends an upload again that a machine with other work did not answer in time. */
function takenAgain(take: Ingestion["take"]): Ingestion["take"] {
  const takeOrRepeat = async (
    upload: Parameters<Ingestion["take"]>[0],
    attemptsLeft: number,
  ): Promise<void> => {
    try {
      await take(upload);
    } catch (error) {
      if (attemptsLeft === 0 || !(error instanceof Failure) || error.code !== "unavailable") throw error;
      await takeOrRepeat(upload, attemptsLeft - 1);
    }
  };
  return (upload) => takeOrRepeat(upload, 5);
}

describe.each(isFullLength ? starts : starts.slice(0, 1))(
  "the demo's recorded services, started at %s",
  (at) => {
    let server: TestApp;
    let sent = 0;
    let send: (sinceMs: number) => Promise<number>;
    const ingest = Fastify();
    beforeAll(async () => {
      server = await startApp({ at, env: { DEMO: "on" } });
      const { ctx } = server;
      const orgId = ctx.demo!.orgId;
      await limitRates(ingest);
      const { take } = await registerIngest(ingest, ctx);
      const stopped = new AbortController().signal;
      const parts = { manifest: await sentManifest(), orgId, stopped, take: takenAgain(take) };
      send = async (sinceMs) => {
        const more = await replay(ctx, parts, sinceMs);
        sent += more;
        return more;
      };
    });
    afterAll(async () => {
      await ingest.close();
      await server.close();
    });

    async function read(): Promise<Alert[]> {
      const reply = await server.app.inject({ url: "/api/v1/protected/alerts", headers });
      expect(reply.statusCode).toBe(200);
      return reply.json().alerts;
    }

    it("give exactly the alerts that were recorded into them, however late they arrive", async () => {
      const nowMs = Date.parse(at);
      // The replay begins with the newest: a round of the job in the middle of it sees too little to judge.
      expect(await send(nowMs - 2 * hourMs)).toBeGreaterThan(40);
      expect(await runAlerts(server.ctx, lease)).toBe(true);
      expect(await read()).toEqual([]);
      server.clock.advance(6 * 60_000);
      expect(await send(nowMs - dayMs)).toBeGreaterThan(500);
      expect(await runAlerts(server.ctx, lease)).toBe(true);
      const all = await read();
      // Quotes and orders compute prices, which the release of checkout made slower.
      expect(
        all
          .flatMap(({ service, signal, route }) => (signal === undefined ? [] : [[service, signal, route]]))
          .sort(),
      ).toEqual([
        ["checkout", "http_p95", "POST /cart/quote"],
        ["checkout", "http_p95", "POST /orders"],
      ]);
      // A rise that a release explains begins with it.
      for (const { service, began_at, began_error_seconds, release } of all) {
        if (service !== "catalog") expect(release, service).toBeDefined();
        if (release)
          expect([service, began_at, began_error_seconds]).toEqual([service, release.at, undefined]);
      }
      const alerts = all.filter(({ signal }) => signal === undefined);
      expect(alerts.map(({ service, type, status }) => `${service} ${type} ${status}`).sort()).toEqual([
        "catalog memory open",
        "checkout cpu open",
        "search goroutine open",
      ]);
      const [catalog, checkout, search] = alerts.toSorted((a, b) => (a.service < b.service ? -1 : 1));
      for (const [alert, hoursBefore] of [
        [catalog, 5],
        [checkout, 3],
        [search, 4],
      ] as const) {
        const afterMs = Date.parse(alert!.timestamp) - (nowMs - hoursBefore * hourMs);
        expect(afterMs, alert!.service).toBeGreaterThan(0);
        expect(afterMs, alert!.service).toBeLessThanOrEqual(8 * hourMs);
        const beganMs = Date.parse(alert!.began_at!) - (nowMs - hoursBefore * hourMs);
        expect(beganMs, alert!.service).toBeGreaterThanOrEqual(0);
        // A profile comes every 15 minutes, and not all services send in the same minute.
        expect(beganMs, alert!.service).toBeLessThanOrEqual(17 * 60_000);
      }
      expect(catalog).toMatchObject({ sample_type: "inuse_space/bytes", unit: "bytes" });
      expect(catalog!.functions[0]!.name).toBe("shop/internal/catalog.retain");
      expect(catalog!.functions[0]!.share).toBeGreaterThan(0.9);
      expect(checkout).toMatchObject({
        sample_type: "cpu/nanoseconds",
        unit: "nanoseconds per second",
        severity: "critical",
      });
      expect(checkout!.functions[0]!.name).toMatch(/^shop\/internal\/pricing\.hash/);
      expect(search!.functions[0]!.name).toBe("shop/internal/search.(*Suggester).ask");
      const status = await server.app.inject({ url: "/api/v1/status", headers });
      expect(status.json().open_alerts).toBe(5);
    }, 1_800_000);

    it("were stored whole, with as many memory profiles as CPU profiles", async () => {
      const stored = await server.ctx.columns.query(storedSince, {
        orgId: server.ctx.demo!.orgId,
        from: new Date(0),
      });
      expect(stored).toHaveLength(sent);
      const count = (service: string, type: string) =>
        stored.filter((row) => row.service === service && row.type === type).length;
      for (const service of cpuServices) {
        expect(count(service, "cpu")).toBeGreaterThan(20);
        const difference = Math.abs(count(service, "memory") - count(service, "cpu"));
        expect([service, difference <= 1]).toEqual([service, true]);
      }
    });
  },
);
