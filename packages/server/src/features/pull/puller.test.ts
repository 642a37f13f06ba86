import { randomUUID } from "node:crypto";
import type { TargetDefinition } from "@flamekeep/contract";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "#config";
import { acrossOrganizations } from "#store/row/row-store.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { openReach } from "./connect/reach.ts";
import { systemResolver } from "./discovery/dns.ts";
import { findAgainSeconds } from "./discovery/find-instances.ts";
import { Puller } from "./job.ts";
import { Places } from "./places.ts";
import { insertTarget, storeTarget, type TargetState, targetsOf } from "./queries.ts";
import { type Pulling, TargetRun } from "./target-run.ts";
import { bytes, type PprofServer, startPprofServer } from "./testing/pprof-server.ts";

let server: TestApp;
let person: Person;
const opened: PprofServer[] = [];
const pullers: Puller[] = [];

beforeAll(async () => {
  server = await startApp();
});
afterEach(async () => {
  await Promise.all(pullers.splice(0).map((each) => each.stop()));
  await Promise.all(opened.splice(0).map((each) => each.close()));
});
afterAll(() => server.close());

/** Notes what was stored, by instance. */
function noted() {
  const stored: string[] = [];
  const admit = async () => ({
    grow: () => undefined,
    take: async ({ query }: { readonly query: Readonly<Record<string, string>> }) =>
      void stored.push(query["tag.instance"]!),
    release: () => undefined,
  });
  return { stored, intake: { admit } };
}

/** Admits no upload until it is released. */
function withheld() {
  const released = Promise.withResolvers<void>();
  const { intake } = noted();
  const admit = () => released.promise.then(intake.admit);
  return { intake: { admit }, release: released.resolve };
}

function pullerWith(
  intake: ConstructorParameters<typeof Puller>[1],
  env: Record<string, string> = {},
  lastsMs = 30_000,
): Puller {
  const { pull } = readConfig({ PULL_PRIVATE_ADDRESSES: "on", ...env });
  const ctx = { ...server.ctx, config: { ...server.ctx.config, pull } };
  const lease = { name: `pull of ${person.orgId}`, holder: randomUUID(), lastsMs };
  const puller = new Puller(ctx, intake, { lease });
  pullers.push(puller);
  return puller;
}

/** The parts of a single run. */
function pullingWith(part: Partial<Pulling> = {}): Pulling {
  const { pull } = readConfig({ PULL_PRIVATE_ADDRESSES: "on" });
  return {
    ctx: { ...server.ctx, config: { ...server.ctx.config, pull } },
    intake: noted().intake,
    places: new Places(1),
    findPlaces: new Places(1),
    findAgainSeconds,
    resolver: systemResolver,
    reach: openReach(pull),
    ownerOf: async (orgId: string) => ({ orgId, orgRetentionDays: null, ownLimits: {} }),
    scraped: () => undefined,
    ...part,
  };
}

/** A target that is scraped each second, more often than people may choose. */
function targetOf(place: string, part: Partial<TargetDefinition> = {}) {
  const definition: TargetDefinition = {
    name: place,
    service: "checkout",
    source: { kind: "url", url: `http://${place}` },
    interval_seconds: 1,
    profiles: ["heap"],
    tags: {},
    path_prefix: "",
    tls: { ca: "", skip_verification: false },
    is_enabled: true,
    ...part,
  };
  return {
    orgId: person.orgId,
    id: randomUUID(),
    definition,
    headers: {},
    changedAt: new Date(Date.now() + changes++).toISOString(),
  };
}
let changes = 0;

async function serve(answer = bytes(Buffer.from("profile"))): Promise<PprofServer> {
  const started = await startPprofServer({ "/debug/pprof/heap": answer });
  opened.push(started);
  return started;
}

async function stateOf(id: string) {
  const found = await targetsOf(server.ctx.rows, person.orgId);
  return found.find((each) => each.id === id)!.state;
}

const within = { timeout: 20_000, interval: 20 };

describe("a puller", () => {
  beforeAll(async () => {
    person = await server.signUp();
  });
  afterEach(async () => {
    await server.ctx.rows.deleteFrom("targets").where("orgId", "=", person.orgId).execute();
  });

  it("scrapes each target in its turns, and writes how that went", async () => {
    const pprof = await serve();
    const target = targetOf(pprof.place);
    await insertTarget(server.ctx.rows, target);
    const { intake, stored } = noted();
    const puller = pullerWith(intake);
    await puller.round();
    await vi.waitFor(() => expect(stored.length).toBeGreaterThanOrEqual(2), within);
    await puller.round();
    const { instances, ...state } = await stateOf(target.id);
    expect(state).toEqual({ instanceCount: 1, failing: 0, discoveryError: null });
    expect(instances).toEqual([
      {
        instance: pprof.place,
        service: "checkout",
        last_scrape_at: expect.any(String),
        duration_ms: expect.any(Number),
        profiles: 1,
        error: null,
        next_scrape_at: expect.any(String),
      },
    ]);
  });

  it("a target that hangs costs its own turn only", async () => {
    const hanging = await serve(() => undefined);
    const pprof = await serve();
    for (const { place } of [hanging, pprof]) await insertTarget(server.ctx.rows, targetOf(place));
    const { intake, stored } = noted();
    const puller = pullerWith(intake);
    await puller.round();
    await vi.waitFor(() => expect(stored.length).toBeGreaterThanOrEqual(3), within);
    expect(new Set(stored)).toEqual(new Set([pprof.place]));
    expect(hanging.asked.length).toBeGreaterThan(0);
  });

  it("no target starves while fewer may run than there are", async () => {
    const servers = await Promise.all(Array.from({ length: 12 }, () => serve()));
    for (const { place } of servers) await insertTarget(server.ctx.rows, targetOf(place));
    const { intake, stored } = noted();
    await pullerWith(intake, { PULL_SIMULTANEOUS: "1" }).round();
    await vi.waitFor(() => {
      const counts = servers.map(({ place }) => stored.filter((each) => each === place).length);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
    }, within);
  });

  it("follows changes of a target, and ends with it", async () => {
    const [before, after] = [await serve(), await serve()];
    const target = targetOf(before.place);
    await insertTarget(server.ctx.rows, target);
    const { intake, stored } = noted();
    const puller = pullerWith(intake);
    await puller.round();
    await vi.waitFor(() => expect(stored).toContain(before.place), within);
    const { definition, changedAt } = targetOf(after.place);
    await storeTarget(server.ctx.rows, { ...target, definition, changedAt });
    await puller.round();
    const askedBefore = before.asked.length;
    await vi.waitFor(() => expect(stored).toContain(after.place), within);
    expect(before.asked.length).toBe(askedBefore);
    await storeTarget(server.ctx.rows, {
      ...target,
      definition: { ...definition, is_enabled: false },
      changedAt: targetOf("").changedAt,
    });
    await puller.round();
    const askedAfter = after.asked.length;
    const other = await serve();
    await insertTarget(server.ctx.rows, targetOf(other.place));
    await puller.round();
    await vi.waitFor(() => expect(other.asked.length).toBeGreaterThanOrEqual(2), within);
    expect(after.asked.length).toBe(askedAfter);
  });

  it("one of two processes scrapes, and the other takes over", async () => {
    const pprof = await serve();
    await insertTarget(server.ctx.rows, targetOf(pprof.place));
    const [first, second] = [noted(), noted()];
    const leader = pullerWith(first.intake);
    const follower = pullerWith(second.intake);
    await leader.round();
    await follower.round();
    await vi.waitFor(() => expect(first.stored.length).toBeGreaterThanOrEqual(2), within);
    await follower.round();
    expect(second.stored).toEqual([]);
    await leader.stop();
    const { length } = first.stored;
    await follower.round();
    await vi.waitFor(() => expect(second.stored.length).toBeGreaterThanOrEqual(1), within);
    expect(first.stored.length).toBe(length);
  });

  it("a target that is stopped does not wait for a place", async () => {
    const pprof = await serve();
    const places = new Places(1);
    const held = Promise.withResolvers<void>();
    const holding = places.use("other", new AbortController().signal, () => held.promise);
    const pulling = pullingWith({ places });
    const run = new TargetRun(pulling, targetOf(pprof.place));
    run.start();
    await vi.waitFor(() => expect(places.waiting).toBe(1), within);
    await run.stop();
    expect([places.taken, places.waiting, pprof.asked]).toEqual([1, 0, []]);
    held.resolve();
    await holding;
  });

  it("follows the service that a list of targets names, and keeps what it knows of the process", async () => {
    const pprof = await serve();
    const list = (service: string) => JSON.stringify([{ targets: [pprof.place], labels: { service } }]);
    let listed = list("checkout");
    const lists = await startPprofServer({
      "/targets": (_request, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(listed);
      },
    });
    opened.push(lists);
    const often = { ...findAgainSeconds, http: 0.02 };
    const source = { kind: "http", url: `http://${lists.place}/targets`, scheme: "http" } as const;
    const run = new TargetRun(
      pullingWith({ findAgainSeconds: often }),
      targetOf(pprof.place, { source, service: "" }),
    );
    run.start();
    let state: TargetState | undefined;
    const named = async (service: string) =>
      vi.waitFor(() => {
        state = run.takeChanged() ?? state;
        expect(state?.instances).toMatchObject([{ service, error: null, profiles: 1 }]);
      }, within);
    await named("checkout");
    const before = state?.instances[0]?.last_scrape_at;
    listed = list("payments");
    await named("payments");
    expect(before).not.toBeNull();
    expect(state?.instanceCount).toBe(1);
    await run.stop();
  });

  it("a round does not wait for the uploads of a target that was changed", async () => {
    const [before, after] = [await serve(), await serve()];
    const target = targetOf(before.place);
    await insertTarget(server.ctx.rows, target);
    const { intake, release } = withheld();
    const puller = pullerWith(intake);
    await puller.round();
    await vi.waitFor(() => expect(before.asked.length).toBeGreaterThan(0), within);
    const { definition, changedAt } = targetOf(after.place);
    await storeTarget(server.ctx.rows, { ...target, definition, changedAt });
    await puller.round();
    await vi.waitFor(() => expect(after.asked.length).toBeGreaterThan(0), within);
    release();
  });

  it("leaves places to another organization", async () => {
    const [own, others] = [await serve(), await serve()];
    const other = await server.signUp();
    for (let count = 0; count < 10; count++) await insertTarget(server.ctx.rows, targetOf(own.place));
    const theirs = { ...targetOf(others.place), orgId: other.orgId };
    await insertTarget(server.ctx.rows, theirs);
    const { intake, release } = withheld();
    await pullerWith(intake, { PULL_SIMULTANEOUS: "2" }).round();
    await vi.waitFor(() => expect([own.asked.length, others.asked.length]).toEqual([1, 1]), within);
    release();
    await server.ctx.rows.deleteFrom("targets").where("orgId", "=", other.orgId).execute();
  });

  it("scrapes end with the lease, although no round renews or ends it", async () => {
    const pprof = await serve();
    await insertTarget(server.ctx.rows, targetOf(pprof.place));
    const [first, second] = [noted(), noted()];
    const leader = pullerWith(first.intake, {}, 2_500);
    const follower = pullerWith(second.intake);
    await leader.round();
    await vi.waitFor(() => expect(first.stored.length).toBeGreaterThan(0), within);
    await vi.waitFor(async () => {
      await follower.round();
      expect(second.stored.length).toBeGreaterThan(0);
    }, within);
    const { length } = first.stored;
    await vi.waitFor(() => expect(second.stored.length).toBeGreaterThan(2), within);
    expect(first.stored.length).toBe(length);
  });

  it("follows a change by a server whose clock is behind", async () => {
    const [before, after] = [await serve(), await serve()];
    const target = targetOf(before.place);
    const newest = targetOf(before.place);
    for (const each of [target, newest]) await insertTarget(server.ctx.rows, each);
    const { intake, stored } = noted();
    const puller = pullerWith(intake);
    await puller.round();
    const { definition } = targetOf(after.place);
    const changedAt = new Date(Date.parse(target.changedAt) - 60_000).toISOString();
    await storeTarget(server.ctx.rows, { ...target, definition, changedAt });
    await puller.round();
    await vi.waitFor(() => expect(stored).toContain(after.place), within);
  });

  it("writes a state again that could not be written", async () => {
    const target = targetOf("unused", {
      source: { kind: "kubernetes", namespace: "", selector: "", annotations: "profiles.grafana.com" },
    });
    await insertTarget(server.ctx.rows, target);
    const puller = pullerWith(noted().intake);
    const rows = acrossOrganizations(server.ctx.rows);
    await sql`ALTER TABLE target_states RENAME TO target_states_away`.execute(rows);
    try {
      await expect(puller.round()).rejects.toThrow("target_states");
      // By now the processes were looked up, in vain, and no state changes again for 30 seconds.
      await expect(puller.round()).rejects.toThrow("target_states");
    } finally {
      await sql`ALTER TABLE target_states_away RENAME TO target_states`.execute(rows);
    }
    await puller.round();
    expect((await stateOf(target.id)).discoveryError).toContain("PULL_KUBERNETES=on");
  });

  it("names what is wrong with a target whose processes cannot be found", async () => {
    const target = targetOf("unused", {
      source: { kind: "kubernetes", namespace: "", selector: "", annotations: "profiles.grafana.com" },
    });
    await insertTarget(server.ctx.rows, target);
    const puller = pullerWith(noted().intake);
    await puller.round();
    await vi.waitFor(async () => {
      await puller.round();
      expect((await stateOf(target.id)).discoveryError).toContain("PULL_KUBERNETES=on");
    }, within);
  });
});
