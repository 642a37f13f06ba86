import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendPattern } from "#analysis/testing/send-pattern.ts";
import { type AnalysingServer, startAnalyses } from "#analysis/testing/start-analyses.ts";
import { measureDue } from "./measure-due.ts";

let server: AnalysingServer;
beforeAll(async () => {
  server = await startAnalyses({ at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

const send = (service: string, minutesAgo: number, compileMs: number) =>
  sendPattern(server, { service, minutesAgo, compileMs });

async function markDone(profileId: string) {
  const analysis = await server.analyse(profileId);
  const advice = analysis.recommendations.find(({ rule }) => rule === "regexp-compile")!;
  const path = `analysis/${analysis.id}/recommendation/${advice.id}/feedback`;
  expect((await server.call("PUT", path, { state: "done" })).statusCode).toBe(200);
  return async () => {
    const { recommendations } = (await server.call("GET", `analysis/${analysis.id}`)).json();
    return recommendations.find(({ id }: { id: string }) => id === advice.id).feedback.effect;
  };
}

describe("the effect of a recommendation that was marked as done", () => {
  it("is measured once enough profiles arrived since: the value of its function went down", async () => {
    await send("better", 5, 100);
    const readEffect = await markDone(await send("better", 3, 100));
    server.clock.advance(10 * minuteMs);
    await send("better", 2, 10);
    expect(await measureDue(server.ctx)).toBe(1);
    expect(await readEffect()).toMatchObject({
      status: "waiting",
      function: "shop.highlight",
      share_after: null,
      profiles: 1,
    });
    expect(await measureDue(server.ctx)).toBe(0);

    server.clock.advance(20 * minuteMs);
    await send("better", 9, 10);
    await send("better", 8, 10);
    expect(await measureDue(server.ctx)).toBe(1);
    const effect = await readEffect();
    expect(effect).toMatchObject({ status: "improved", is_per_request: false, profiles: 3 });
    expect(effect.share_before).toBeCloseTo(1 / 3, 9);
    expect(effect.share_after).toBeCloseTo(10 / 210, 9);
    expect(effect.change).toBeCloseTo(-0.9, 9);
  });

  it.each([
    ["unchanged", 105],
    ["worse", 150],
  ])("says %s where that is so", async (status, compileMs) => {
    const readEffect = await markDone(await send(status, 3, 100));
    server.clock.advance(hourMs);
    for (const minute of [4, 3, 2]) await send(status, minute, compileMs);
    await measureDue(server.ctx);
    expect(await readEffect()).toMatchObject({ status });
  });

  it("counts per request, so that less load is no success", async () => {
    const sendRequests = async (minutesAgo: number, count: number) => {
      const atMs = server.clock.now().getTime() - minutesAgo * minuteMs;
      const payload = Array.from({ length: count }, (_, index) => ({
        timestamp: new Date(atMs + (index * minuteMs) / count).toISOString(),
        duration: 0.1,
        status_code: 200,
        method: "GET",
        path: "/",
        request_id: `${atMs}-${index}`,
      }));
      const query = { service: "quieter" };
      const url = "/api/v1/ingest/http-metrics";
      await server.app.inject({ method: "POST", url, query, headers: server.keyHeaders, payload });
    };
    await sendRequests(3, 240);
    const readEffect = await markDone(await send("quieter", 3, 100));
    server.clock.advance(hourMs);
    for (const minute of [4, 3, 2]) {
      await sendRequests(minute, 120);
      await send("quieter", minute, 50);
    }
    await measureDue(server.ctx);
    const effect = await readEffect();
    expect(effect).toMatchObject({ status: "unchanged", is_per_request: true });
    expect(effect.change).toBeCloseTo(0, 9);
  });

  it("is not measured any more after two weeks", async () => {
    await markDone(await send("old", 3, 100));
    await measureDue(server.ctx);
    server.clock.advance(15 * dayMs);
    expect(await measureDue(server.ctx)).toBeGreaterThan(0);
    server.clock.advance(dayMs);
    expect(await measureDue(server.ctx)).toBe(0);
  });
});
