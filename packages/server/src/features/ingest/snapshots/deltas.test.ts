import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Picture, pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedFolded, storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const start = Date.UTC(2026, 10, 20, 11);
const minute = 60_000;
const heapTypes = ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"];

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  /** A snapshot `minutes` after eleven. */
  const send = (minutes: number, picture: Picture, query: Record<string, string> = {}) => {
    const payload = pprofOf({ ...picture, timeNs: BigInt(start + minutes * minute) * 1_000_000n });
    return server.send(payload, { headers, query: { ...typeOf(picture), ...query } });
  };
  const rows = async () =>
    (await storedProfiles(server.ctx.columns, person.orgId)).map(({ totals, deltas_totals, values }) => ({
      totals: totals.map(Number),
      added: deltas_totals.map(Number),
      sums: values.map((column) => column.reduce((sum, value) => sum + Number(value), 0)),
    }));
  return { send, rows, headers, orgId: person.orgId };
}

/** Mutex and block profiles look alike, so that their type has to be named. */
function typeOf({ sampleTypes }: Picture): Record<string, string> {
  return sampleTypes.includes("delay/nanoseconds") ? { type: "mutex" } : {};
}

const heap = (...samples: Picture["samples"]): Picture => ({ sampleTypes: heapTypes, samples });
const mutex = (...samples: Picture["samples"]): Picture => ({
  sampleTypes: ["contentions/count", "delay/nanoseconds"],
  samples,
});

describe("snapshots of counters through our own endpoint", () => {
  test("add what they grew by; what is in use stays as it is", async () => {
    const { send, rows } = await sender();
    await send(0, heap(["main;a", 10, 1000, 4, 400]));
    await send(1, heap(["main;a", 15, 1500, 3, 300], ["main;b", 2, 200, 2, 200]));
    await send(2, heap(["main;a", 15, 1500, 3, 300], ["main;b", 9, 900, 1, 100]));
    expect(await rows()).toEqual([
      { totals: [10, 1000, 4, 400], added: [0, 0, 4, 400], sums: [0, 0, 4, 400] },
      { totals: [17, 1700, 5, 500], added: [7, 700, 5, 500], sums: [7, 700, 5, 500] },
      { totals: [24, 2400, 4, 400], added: [7, 700, 4, 400], sums: [7, 700, 4, 400] },
    ]);
  });

  test("of a restarted process add all they show", async () => {
    const { send, rows } = await sender();
    await send(0, mutex(["main;a", 10, 1000], ["main;b", 1, 1]), { "tag.instance": "a" });
    await send(1, mutex(["main;a", 11, 5000]), { "tag.instance": "a" });
    expect((await rows()).map(({ added }) => added)).toEqual([
      [0, 0],
      [11, 5000],
    ]);
  });

  test("are compared within their series only: service, type and tags", async () => {
    const { send, rows } = await sender();
    const one = mutex(["main;a", 10, 1000]);
    const two = mutex(["main;a", 11, 1100]);
    await send(0, one);
    await send(1, two, { "tag.pod": "b" });
    await send(2, two, { type: "block" });
    await send(3, two, { service: "t" });
    await send(4, two);
    expect((await rows()).map(({ added }) => added[0])).toEqual([0, 0, 0, 0, 1]);
  });

  test("that come late add nothing, and do not disturb the next", async () => {
    const { send, rows } = await sender();
    await send(0, mutex(["main;a", 10, 1000]));
    await send(4, mutex(["main;a", 30, 3000]));
    await send(2, mutex(["main;a", 20, 2000]));
    await send(6, mutex(["main;a", 40, 4000]));
    expect((await rows()).map(({ added }) => added[0])).toEqual([0, 0, 20, 10]);
  });

  test("that come late and are older than the first one add the growth up to it", async () => {
    const { send, rows } = await sender();
    await send(4, mutex(["main;a", 30, 3000], ["main;b", 5, 500]));
    await send(6, mutex(["main;a", 40, 4000], ["main;b", 5, 500]));
    await send(2, mutex(["main;a", 20, 2000]));
    await send(3, mutex(["main;a", 21, 2100]));
    await send(0, mutex(["main;a", 10, 1000]));
    await send(8, mutex(["main;a", 41, 4100], ["main;b", 5, 500]));
    expect((await rows()).map(({ added, sums }) => [added, sums])).toEqual(
      [
        [10, 1000],
        [15, 1500],
        [0, 0],
        [0, 0],
        [10, 1000],
        [1, 100],
      ].map((added) => [added, added]),
    );
  });

  test("that come late add growth in new stacks, and leave what is in use as it is", async () => {
    const { send, rows, orgId } = await sender();
    await send(4, heap(["main;a", 15, 1500, 3, 300], ["main;b", 2, 200, 2, 200]));
    await send(2, heap(["main;a", 10, 1000, 4, 400]));
    expect(await rows()).toEqual([
      { totals: [10, 1000, 4, 400], added: [7, 700, 4, 400], sums: [7, 700, 4, 400] },
      { totals: [17, 1700, 5, 500], added: [0, 0, 5, 500], sums: [0, 0, 5, 500] },
    ]);
    expect(await storedFolded(server.ctx.columns, orgId, "alloc_objects/count")).toEqual([
      "main;a 5",
      "main;b 2",
    ]);
  });

  test("that come late from the day before add growth only where no stack is new", async () => {
    const { send, rows } = await sender();
    const midnight = -11 * 60;
    await send(midnight + 1, mutex(["main;a", 30, 3000], ["main;b", 5, 500]));
    await send(midnight - 1, mutex(["main;a", 20, 2000], ["main;b", 4, 400]));
    await send(midnight + 1, mutex(["main;a", 30, 3000], ["main;b", 5, 500]), { type: "block" });
    await send(midnight - 1, mutex(["main;a", 20, 2000]), { type: "block" });
    expect((await rows()).map(({ totals, added }) => [totals[0], added[0]])).toEqual([
      [20, 0],
      [24, 11],
      [35, 0],
      [35, 0],
    ]);
  });

  test("that come late add nothing if the first one is of another process, or was counted whole", async () => {
    const { send, rows } = await sender();
    await send(4, { ...mutex(["main;a", 30, 3000]), vdso: 4096 });
    await send(2, { ...mutex(["main;a", 31, 3100]), vdso: 4096 });
    await send(0, { ...mutex(["main;a", 10, 1000]), vdso: 8192 });
    expect((await rows()).map(({ added }) => added[0])).toEqual([0, 0, 0]);
    const instance = { "tag.instance": "a", service: "whole" };
    await send(10, { ...mutex(["main;a", 30, 3000]), vdso: 4096 }, instance);
    await send(14, { ...mutex(["main;a", 9, 900]), vdso: 8192 }, instance);
    await send(12, { ...mutex(["main;a", 5, 500]), vdso: 8192 }, instance);
    await send(11, { ...mutex(["main;a", 2, 200]), vdso: 8192 }, instance);
    expect((await rows()).slice(3).map(({ added }) => added[0])).toEqual([0, 0, 0, 9]);
  });

  test("sent twice count once", async () => {
    const { send, rows } = await sender();
    await send(0, mutex(["main;a", 10, 1000]));
    await send(1, mutex(["main;a", 30, 3000]));
    expect((await send(1, mutex(["main;a", 30, 3000]))).duplicate).toBe(true);
    await send(2, mutex(["main;a", 31, 3100]));
    expect((await rows()).map(({ added }) => added[0])).toEqual([0, 20, 1]);
  });

  test("with a duration are deltas already, as goroutines are no counters", async () => {
    const { send, rows } = await sender();
    await send(0, { ...mutex(["main;a", 10, 1000]), durationNs: 5n });
    await send(1, { sampleTypes: ["goroutine/count"], samples: [["main", 7]] });
    expect((await rows()).map(({ added }) => added)).toEqual([[10, 1000], [7]]);
  });
});

test("a series continues after a restart of the server", async () => {
  const { send, rows, headers } = await sender();
  await send(0, mutex(["main;a", 10, 1000]));
  await send(1, mutex(["main;a", 30, 3000], ["main;b", 1, 1]));
  const again = await server.createApp();
  const payload = pprofOf({
    ...mutex(["main;a", 31, 3100], ["main;b", 5, 5]),
    timeNs: BigInt(start + 2 * minute) * 1_000_000n,
  });
  await server.send(payload, { app: again, headers, query: { type: "mutex" } });
  await again.close();
  expect((await rows()).map(({ added }) => added)).toEqual([
    [0, 0],
    [21, 2001],
    [5, 104],
  ]);
});

test("an upload that needs the latest snapshot is compared with it once a restarting engine is back", async () => {
  const { send, rows, headers } = await sender();
  await send(0, mutex(["main;a", 10, 1000]));
  expect(await rows()).toHaveLength(1);
  const again = await server.createApp();
  const { enginePid, restarts } = server.ctx.columns.health();
  process.kill(enginePid!, "SIGKILL");
  await expect.poll(() => server.ctx.columns.health().enginePid).not.toBe(enginePid);
  const payload = pprofOf({
    ...mutex(["main;a", 31, 3100]),
    timeNs: BigInt(start + minute) * 1_000_000n,
  });
  await server.send(payload, { app: again, headers, query: { type: "mutex" } });
  const added = async () => (await rows()).map((row) => row.added);
  await expect
    .poll(() => added().catch(String), { timeout: 20_000 })
    .toEqual([
      [0, 0],
      [21, 2100],
    ]);
  expect(server.ctx.columns.health().restarts).toBeGreaterThan(restarts);
  await again.close();
});

test("a series whose latest bytes are lost begins again instead of being refused", async () => {
  const { send, rows, headers, orgId } = await sender();
  await send(0, mutex(["main;a", 10, 1000]));
  const { profile_id } = await send(1, mutex(["main;a", 30, 3000]));
  const again = await server.createApp();
  await server.ctx.payloads.remove(orgId, [profile_id]);
  expect(await server.ctx.payloads.read(orgId, profile_id)).toBeUndefined();
  for (const [minutes, contentions] of [
    [2, 35],
    [3, 36],
  ] as const) {
    const picture = mutex(["main;a", contentions, 100 * contentions]);
    const timeNs = BigInt(start + minutes * minute) * 1_000_000n;
    const url = "/api/v1/ingest/profiles";
    const payload = pprofOf({ ...picture, timeNs });
    const reply = await again.inject({
      method: "POST",
      url,
      query: { service: "s", type: "mutex" },
      payload,
      headers,
    });
    expect(reply.statusCode).toBe(200);
  }
  await again.close();
  expect((await rows()).map(({ added }) => added[0])).toEqual([0, 20, 0, 1]);
});
