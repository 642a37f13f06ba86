import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { decodeFlameGraph, functionTotals } from "@flamekeep/flame";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
});
afterAll(() => server.close());

async function statisticsOf(url: string, query: Record<string, string>, payload: Buffer | object[]) {
  const sent = await server.app.inject({ method: "POST", url, query, headers: keyHeaders, payload });
  expect(sent.statusCode).toBe(200);
  const reply = await server.app.inject({
    method: "GET",
    url: `/api/v1/protected/profile/${sent.json().profile_id}/stats`,
    headers: person.headers,
  });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

it("describes the size, top functions and CPU utilisation of a CPU profile", async () => {
  const picture = `
    main.main                       main.main        main.main
    main.serve                      main.serve       runtime.gcBgMarkWorker
    encoding/json.Unmarshal         main.hash
    3,3000000000                    5,5000000000     2,2000000000`;
  const profile = profileOf(picture, {
    sampleTypes: ["samples/count", "cpu/nanoseconds"],
    durationNs: 10_000_000_000n,
  });
  const statistics = await statisticsOf(
    "/api/v1/ingest/profiles",
    { service: "checkout" },
    gzipSync(writeProfile(profile)),
  );
  expect(statistics).toMatchObject({
    sample_count: 10,
    duration: "10s",
    profile_type: "cpu",
    sample_type: { type: "cpu", unit: "nanoseconds" },
    statistics: { unique_functions: 5, max_stack_depth: 3, hot_path_count: 3 },
    cpu_stats: { cpu_percent: 100, cpu_time_ns: 10_000_000_000, total_samples: 10 },
  });
  expect(statistics.top_functions.slice(0, 2)).toMatchObject([
    {
      name: "main.hash",
      category: "user_code",
      self_percent: 50,
      self_value: 5_000_000_000,
      cum_value: 5_000_000_000,
    },
    { name: "encoding/json.Unmarshal", category: "json", self_percent: 30, self_value: 3_000_000_000 },
  ]);
});

it("names where goroutines make others wait for a lock, and only for such profiles", async () => {
  const picture = `
    main.serve             main.serve
    shop.Reserve           shop.Audit
    sync.(*Mutex).Unlock   sync.(*Mutex).Unlock
    3,900                  1,100`;
  const profile = profileOf(picture, {
    sampleTypes: ["contentions/count", "delay/nanoseconds"],
    durationNs: 10_000_000_000n,
  });
  const send = (type: string) => {
    const query = { service: "checkout", type };
    return statisticsOf("/api/v1/ingest/profiles", query, gzipSync(writeProfile(profile)));
  };
  expect((await send("mutex")).top_waits).toEqual([
    {
      name: "shop.Reserve",
      file: "",
      line: 0,
      category: "user_code",
      reason: "sync.(*Mutex).Unlock",
      percent: 90,
      value: 900,
    },
    {
      name: "shop.Audit",
      file: "",
      line: 0,
      category: "user_code",
      reason: "sync.(*Mutex).Unlock",
      percent: 10,
      value: 100,
    },
  ]);
  expect((await send("custom")).top_waits).toBeNull();
});

it("describes a batch of HTTP metrics by its requests and their span", async () => {
  const request = { duration: 0.01, status_code: 200, method: "GET", path: "/" };
  const statistics = await statisticsOf("/api/v1/ingest/http-metrics", { service: "checkout" }, [
    { ...request, timestamp: "2026-11-20T11:58:00Z", request_id: "1" },
    { ...request, timestamp: "2026-11-20T11:58:30Z", request_id: "2" },
  ]);
  expect(statistics).toMatchObject({
    sample_count: 2,
    duration: "30s",
    profile_type: "metrics",
    statistics: null,
    top_functions: [],
    cpu_stats: null,
  });
});

it("lists functions of one name in two files with the values of each", async () => {
  const profile = profileOf(
    `
    main@main.js:1   main@main.js:1
    handler@a.js:10  handler@b.js:10
    90,900000000     10,100000000`,
    { sampleTypes: ["samples/count", "cpu/nanoseconds"], durationNs: 10_000_000_000n },
  );
  const query = { service: "node" };
  const { top_functions: top } = await statisticsOf(
    "/api/v1/ingest/profiles",
    query,
    gzipSync(writeProfile(profile)),
  );
  expect(top.map((each: Record<string, unknown>) => [each.name, each.file, each.self_value])).toEqual([
    ["handler", "a.js", 900_000_000],
    ["handler", "b.js", 100_000_000],
    ["main", "main.js", 0],
  ]);
});

it.each([
  ["large-cpu-1.pb.gz", "cpu", "function"],
  ["large-cpu-1.pb.gz", "cpu", "instantiation"],
  ["heap.pb.gz", "memory", "function"],
])("of %s has the functions of the flame graph of %s, by %s", async (recording, type, group_by) => {
  const file = new URL(`../../../../../examples/recordings/go1.26/${recording}`, import.meta.url);
  const sent = {
    headers: keyHeaders,
    query: { service: "large", type, started_at: "2026-11-20T11:30:00Z" },
  };
  const { profile_id: id } = await server.send(readFileSync(file), sent);
  const read = (url: string, headers = {}) =>
    server.app.inject({ url, query: { group_by }, headers: { ...person.headers, ...headers } });
  const { statistics, top_functions } = (await read(`/api/v1/protected/profile/${id}/stats`)).json();
  const accept = "application/vnd.flamekeep.flamegraph.v3";
  const { tree } = decodeFlameGraph(
    (await read(`/api/v1/protected/flamegraph/${id}`, { accept })).rawPayload,
  );
  const { self, total, frames } = functionTotals(tree);
  const { name, file: files } = tree.functions;
  const used = Array.from(frames.keys()).filter(
    (fn) => fn > 0 && frames[fn]! > 0 && name[fn] !== "[truncated]",
  );
  expect(statistics.unique_functions).toBe(used.length);
  for (const top of top_functions) {
    const fn = used.find((each) => name[each] === top.name && files[each] === top.file)!;
    expect([top.name, self[fn], total[fn]]).toEqual([top.name, top.self_value, top.cum_value]);
  }
  expect(name.some((each) => each.includes("[go.shape."))).toBe(group_by === "instantiation");
});

it("has mangled copies of a function as one, or each, as asked", async () => {
  const profile = profileOf(`
    main                                   main
    _ZN4shop4hash17h1111111111111111E@h.rs  _ZN4shop4hash17h2222222222222222E@h.rs
    30                                      10`);
  const { profile_id: id } = await server.send(profile, { headers: keyHeaders, query: { service: "rust" } });
  const topOf = async (group_by: string) => {
    const url = `/api/v1/protected/profile/${id}/stats`;
    const { top_functions } = (
      await server.app.inject({ url, query: { group_by }, headers: person.headers })
    ).json();
    return top_functions.map((top: { name: string; self_value: number }) => [top.name, top.self_value]);
  };
  expect(await topOf("function")).toEqual([
    ["shop::hash", 40],
    ["main", 0],
  ]);
  expect(await topOf("instantiation")).toEqual([
    ["shop::hash", 30],
    ["shop::hash", 10],
    ["main", 0],
  ]);
});
