import { dayMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { DayUnavailable } from "#store/payloads/day-unavailable.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { removeOldDays } from "./job.ts";

let server: TestApp;
let admin: Person;
let key: TestKey;

beforeAll(async () => {
  server = await startApp({
    hasSeparateColumns: true,
    at: "2026-11-20T12:00:00.000Z",
    env: { RETENTION_DAYS: "30", RETENTION_DAYS_BY_TYPE: "goroutine=3d, cpu=14" },
  });
  admin = await server.signUp();
  key = await server.makeKey(admin);
});
afterAll(() => server.close());

const startedAt = (days: number) => new Date(server.ctx.now().getTime() - days * dayMs).toISOString();
const goroutines = profileOf("main\n1", { sampleTypes: ["goroutine/count"] });
const memory = profileOf("main\n1", { sampleTypes: ["inuse_space/bytes"] });

async function send(profile: Parameters<TestApp["send"]>[0], type: string, days: number) {
  const query = { service: "shop", type, started_at: startedAt(days) };
  return server.send(profile, { headers: key.headers, query });
}

/** The hourly job, two days later. */
const removeLater = () =>
  removeOldDays({ ...server.ctx, now: () => new Date(server.ctx.now().getTime() + 2 * dayMs) });

const get = async (path: string) => {
  const reply = await server.app.inject({ url: `/api/v1/protected/${path}`, headers: admin.headers });
  return { status: reply.statusCode, body: reply.json() };
};

it("removes old profiles of a type, with their bytes, and keeps those of other types and days", async () => {
  const old = await send(goroutines, "goroutine", 2);
  const recent = await send(goroutines, "goroutine", 0);
  const other = await send(memory, "memory", 2);
  await server.ctx.columns.maintenance.rollUp(server.ctx.now());
  expect((await removeOldDays(server.ctx)).rows).toBe(0);
  expect((await removeLater()).rows).toBeGreaterThan(1);
  expect((await get(`profile/${old.profile_id}`)).status).toBe(404);
  expect(await server.ctx.payloads.read(admin.orgId, old.profile_id)).toBeUndefined();
  for (const { profile_id } of [recent, other]) {
    expect((await get(`flamegraph/${profile_id}`)).status).toBe(200);
    expect(await server.ctx.payloads.read(admin.orgId, profile_id)).toMatchObject({
      type: expect.any(String),
    });
  }
  const { counts_by_type } = (await get("profiles?from=30d")).body;
  expect(counts_by_type).toMatchObject({ goroutine: 1, memory: 1 });
  // Nothing is left to do.
  expect((await removeLater()).rows).toBe(0);
});

it("frees the space of other removals while a type's bytes cannot be removed", async () => {
  await send(goroutines, "goroutine", 1);
  const unavailable = new DayUnavailable("removed", "2026-11-19", "away");
  let purges = 0;
  const payloads = {
    ...server.ctx.payloads,
    remove: () => Promise.reject(unavailable),
    purge: async () => void purges++,
  };
  const now = () => new Date(server.ctx.now().getTime() + 3 * dayMs);
  await expect(removeOldDays({ ...server.ctx, payloads, now })).rejects.toBe(unavailable);
  expect(purges).toBe(1);
});

it("rejects uploads that the type's retention would remove, and says which setting keeps them", async () => {
  const query = { service: "shop", type: "goroutine", started_at: startedAt(4) };
  const reply = await server.trySend(goroutines, { headers: key.headers, query });
  expect([reply.statusCode, reply.json().error]).toEqual([
    422,
    expect.stringMatching(/only 3 days are kept.*RETENTION_DAYS_BY_TYPE/),
  ]);
  expect((await send(memory, "memory", 4)).duplicate).toBe(false);
});

it("keeps the other listings of an upload whose bytes belonged to the type", async () => {
  const both = pprofOf({
    sampleTypes: ["cpu/nanoseconds", "inuse_space/bytes"],
    samples: [["main;serve", 5_000_000, 4096]],
    durationNs: 10_000_000_000n,
  });
  const sent = await server.send(both, {
    headers: key.headers,
    query: { service: "mixed", started_at: startedAt(13) },
  });
  const listed = [sent, ...(sent.also_listed ?? [])];
  expect(listed.map(({ type }) => type).toSorted()).toEqual(["cpu", "memory"]);
  await removeLater();
  const idOf = (type: string) => listed.find((each) => each.type === type)!.profile_id;
  expect((await get(`profile/${idOf("cpu")}`)).status).toBe(404);
  const graph = await get(`flamegraph/${idOf("memory")}`);
  expect([graph.status, graph.body.total_samples]).toEqual([200, 4096]);
});
