import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Picture, pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const heapTypes = ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"];
const recordings = new URL("../../../../../../../examples/recordings/sdk/", import.meta.url);
const seconds = 3_000_000_000n;
const at = (second: number) => BigInt(Date.UTC(2026, 10, 20, 11, 0, second)) * 1_000_000n;

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = async (picture: Picture, query: Record<string, string> = {}) => {
    const reply = await server.trySend(pprofOf(picture), { headers, query });
    return { statusCode: reply.statusCode, ...reply.json() };
  };
  const rows = () => storedProfiles(server.ctx.columns, person.orgId);
  const get = async (path: string) => {
    const reply = await server.app.inject({
      method: "GET",
      url: `/api/v1/protected${path}`,
      headers: { authorization: `Bearer ${person.accessToken}` },
    });
    return reply.json();
  };
  return { send, rows, get };
}

const heap = (second: number, ...samples: Picture["samples"]): Picture => ({
  sampleTypes: heapTypes,
  samples,
  timeNs: at(second),
});

describe("heap profiles with ?seconds=", () => {
  test("keep allocations; differences of memory in use are left out and counted", async () => {
    const { send, rows, get } = await sender();
    const picture = heap(0, ["main;a", 4, 4000, -2, -2000], ["main;b", 1, 100, 1, 100]);
    const reply = await send({ ...picture, durationNs: seconds });
    expect(reply).toMatchObject({
      statusCode: 200,
      type: "memory",
      trimmed: { gauges: 2 },
      notice: expect.stringMatching(/^Memory in use .* was left out/),
    });
    expect(await rows()).toMatchObject([
      { sample_types: ["alloc_objects/count", "alloc_space/bytes"], deltas_totals: [5n, 4100n] },
    ]);
    const stored = JSON.stringify([
      await get(`/profile/${reply.profile_id}`),
      await get(`/profile/${reply.profile_id}/stats`),
      await get(`/flamegraph/${reply.profile_id}`),
      await get("/flamegraph/service/s/memory?since=24h"),
      await get("/profiles/service/s?since=24h"),
      await get("/summary/service/s?since=24h"),
    ]);
    expect(stored).toContain("alloc_space");
    expect(stored).not.toMatch(/inuse|:-\d/);
  });

  test("are recognised if memory in use only grew", async () => {
    const { send, rows } = await sender();
    await send({ ...heap(0, ["main;a", 4, 4000, 2, 2000]), durationNs: seconds });
    expect((await rows())[0]?.sample_types).toEqual(["alloc_objects/count", "alloc_space/bytes"]);
  });

  test("are left out with delta=true only if they are negative: what is in use is no difference", async () => {
    const { send, rows, get } = await sender();
    const delta = { delta: "true" };
    const grown = await send({ ...heap(0, ["main;a", 4, 4000, 2, 2000]), durationNs: seconds }, delta);
    expect([grown.notice, grown.trimmed]).toEqual([undefined, {}]);
    const graph = await get(`/flamegraph/${grown.profile_id}`);
    expect(graph.root.total_value).toBe(2000);
    expect(JSON.stringify(await get(`/profile/${grown.profile_id}/stats`))).not.toContain("alloc_space");
    const shrunk = await send({ ...heap(1, ["main;a", 4, 4000, -2, -2000]), durationNs: seconds }, delta);
    expect(shrunk.notice).toMatch(/^Memory in use .* was left out/);
    expect((await rows()).map(({ sample_types }) => sample_types.length)).toEqual([4, 2]);
  });

  test("are not confused with windows of memory in use", async () => {
    const { send, rows } = await sender();
    const picture = heap(0, ["main;a", 4, 4000, 2, 2000], ["main;old", 0, 0, 9, 9000]);
    await send({ ...picture, durationNs: seconds });
    expect(await rows()).toMatchObject([
      { sample_types: heapTypes, deltas_totals: [4n, 4000n, 11n, 11000n] },
    ]);
  });
});

test.each([
  [
    "goroutines that went",
    [
      ["main;a", 3],
      ["main;b", -1],
    ],
    seconds,
  ],
  ["goroutines that came", [["main;a", 3]], seconds],
  ["goroutines below zero", [["main;a", -3]], 0n],
] as const)("%s are refused: they do not exist", async (_, samples, durationNs) => {
  const { send, rows } = await sender();
  const reply = await send({ sampleTypes: ["goroutine/count"], samples, timeNs: at(0), durationNs });
  expect(reply).toMatchObject({
    statusCode: 422,
    error: expect.stringMatching(/\?seconds=.*Fetch \/debug\/pprof\/goroutine without seconds\.$/),
  });
  expect(await rows()).toEqual([]);
});

test("the difference of two heap profiles is refused", async () => {
  const { send } = await sender();
  const reply = await send(heap(0, ["main;a", 4, 4000, -2, -2000]));
  expect(reply).toMatchObject({
    statusCode: 422,
    error: expect.stringMatching(/difference of two profiles/),
  });
});

test("delta=true sums the uploads, and does not disturb snapshots of the same series", async () => {
  const { send, rows } = await sender();
  await send(heap(0, ["main;a", 50, 5000, 1, 100]), { "tag.instance": "a" });
  for (const [i, bytes] of [50, 60, 70].entries()) {
    const picture = heap(i + 1, ["main;a", 1, bytes, 1, 100]);
    expect(await send(picture, { delta: "true", "tag.instance": "a" })).toMatchObject({ statusCode: 200 });
  }
  await send(heap(9, ["main;a", 51, 5010, 1, 100]), { "tag.instance": "a", delta: "false" });
  expect((await rows()).map(({ deltas_totals }) => Number(deltas_totals[1]))).toEqual([0, 50, 60, 70, 10]);
});

test("a notice reports counters that fall within a process, because they are differences", async () => {
  const { send } = await sender();
  const notices: unknown[] = [];
  for (const [i, bytes] of [5000, 60, 70].entries()) {
    const reply = await send({ ...heap(i, ["main;a", 1, bytes, 1, 10]), vdso: 0x7f0000001000 });
    notices.push(reply.notice);
  }
  expect(notices.slice(0, 2)).toEqual([
    undefined,
    expect.stringMatching(/counters of this process fell.*delta=true/),
  ]);
});

describe("heap profiles that count since the fetch before, without delta=true", () => {
  const retained: Picture["samples"][number] = ["main;cache", 0, 0, 9, 9000];

  test("are recognised by memory in use that they did not allocate, with a notice", async () => {
    const { send, rows } = await sender();
    const replies: { notice?: string }[] = [];
    replies.push(await send(heap(0, ["main;a", 50, 5000, 1, 100], ["main;cache", 9, 9000, 9, 9000])));
    for (const [i, bytes] of [6000, 60, 70].entries())
      replies.push(await send(heap(i + 1, ["main;a", 1, bytes, 1, 50], retained)));
    // The first one contains everything since the start of the process.
    expect((await rows()).map(({ deltas_totals }) => Number(deltas_totals[1]))).toEqual([0, 6000, 60, 70]);
    expect(replies.map(({ notice }) => notice)).toEqual([
      undefined,
      ...Array(3).fill(expect.stringMatching(/^Less was allocated than is in use.* Add delta=true/)),
    ]);
  });

  test("as godeltaprof writes them", async () => {
    const { headers } = await server.makeKey(await server.signUp());
    const recorded = new URL("pyroscope-go-1.4.3-09.pb.gz", recordings);
    const query = { started_at: "2026-11-20T11:00:00Z" };
    const reply = await server.trySend(await readFile(recorded), { headers, query });
    expect(reply.json()).toMatchObject({ type: "memory", notice: expect.stringMatching(/delta=true/) });
  });

  test("of a whole process are none: all in use was allocated", async () => {
    const { send } = await sender();
    expect(await send(heap(0, ["main;a", 9, 9000, 9, 9000]))).not.toHaveProperty("notice");
  });
});

test("delta is true or false", async () => {
  const { send } = await sender();
  expect(await send(heap(0), { delta: "yes" })).toMatchObject({
    statusCode: 400,
    error: expect.stringMatching(/delta must be true or false/),
  });
});

test("contentions need a type: mutex and block profiles have the same content", async () => {
  const { send } = await sender();
  const picture: Picture = {
    sampleTypes: ["contentions/count", "delay/nanoseconds"],
    samples: [["main;lock", 2, 50]],
    timeNs: at(0),
  };
  expect(await send(picture)).toMatchObject({
    statusCode: 400,
    error: expect.stringMatching(/as type=mutex or type=block/),
  });
  for (const type of ["mutex", "block"]) expect(await send(picture, { type })).toMatchObject({ type });
});

test.each([
  [{ delta: "true" }, 0n],
  [{}, 0n],
  [{ type: "mutex" }, seconds],
])("negative values of a counter are refused: %o", async (query, durationNs) => {
  const { send, rows } = await sender();
  const picture: Picture = {
    sampleTypes: ["contentions/count", "delay/nanoseconds"],
    samples: [["main;a", -3, 100]],
    durationNs,
  };
  expect(await send(picture, { type: "mutex", ...query })).toMatchObject({
    statusCode: 422,
    code: "unprocessable",
    error: expect.stringMatching(/^The profile has negative values of contentions, .* without delta=true\.$/),
  });
  expect(await rows()).toEqual([]);
});
