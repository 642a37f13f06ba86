import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedCounts } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const bodyOf = (...sampleTypes: string[]) =>
  pprofOf({ sampleTypes, samples: [["main;f", ...sampleTypes.map(() => 1)]], durationNs: 1_000_000_000n });
const cpu = bodyOf("samples/count", "cpu/nanoseconds");
const heap = bodyOf("alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes");
const lock = bodyOf("contentions/count", "delay/nanoseconds");
const goroutines = bodyOf("goroutine/count");
const wall = bodyOf("sample/count", "wall/nanoseconds");
const threads = bodyOf("threadcreate/count");

let server: TestApp;
let orgId: string;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  const person = await server.signUp();
  orgId = person.orgId;
  headers = (await server.makeKey(person)).headers;
});
afterAll(() => server.close());

const send = (url: string, query: Record<string, string>, payload: Buffer | object[]) =>
  server.app.inject({ method: "POST", url, query, payload, headers });
const sendAs = (type: string, payload: Buffer) =>
  send("/api/v1/ingest/profiles", { service: `as-${type}`, type }, payload);

describe("a type that the content contradicts is refused", () => {
  test.each([
    [
      "cpu",
      heap,
      /^The body is a heap profile \(inuse_space\/bytes, inuse_objects\/count, .*not type=cpu\. Send it as type=memory, or leave type out\.$/,
    ],
    ["memory", cpu, /a CPU profile \(cpu\/nanoseconds, samples\/count\).* as type=cpu,/],
    ["goroutine", cpu, /a CPU profile/],
    ["mutex", goroutines, /a goroutine profile.* as type=goroutine,/],
    ["block", heap, /a heap profile/],
    ["memory", lock, /a mutex or block profile.* as type=mutex or type=block,/],
    ["cpu", wall, /a wall-clock profile.* as type=wall,/],
    ["wall", cpu, /a CPU profile.* as type=cpu,/],
    ["profile", heap, /not type=profile\. Send it as type=memory,/],
    ["heap", cpu, /not type=heap\./],
    ["goroutine", threads, /a thread creation profile/],
    ["threadcreate", goroutines, /not type=threadcreate\./],
  ])("type=%s", async (type, body, words) => {
    const reply = await sendAs(type, body);
    expect([reply.statusCode, reply.json()]).toEqual([
      422,
      { error: expect.stringMatching(words), code: "unprocessable", request_id: expect.any(String) },
    ]);
    expect((await storedCounts(server.ctx, orgId)).profiles).toBe(0);
  });

  test("in a sentence that stays short, whatever the sample types are called", async () => {
    const body = bodyOf(
      ...Array.from({ length: 100 }, (_, i) => `${"x".repeat(4000)}${i}/count`),
      "cpu/nanoseconds",
    );
    expect((await sendAs("memory", body)).json().error.length).toBeLessThan(500);
  });
});

test.each([
  ["heap", heap, "memory"],
  ["allocs", heap, "memory"],
  ["profile", cpu, "cpu"],
  ["threadcreate", threads, "custom"],
  ["custom", heap, "custom"],
  ["wall", wall, "custom"],
  ["block", lock, "block"],
  ["mutex", lock, "mutex"],
  ["cpu", bodyOf("samples/count"), "cpu"],
])("type=%s is taken", async (type, body, filed) => {
  const reply = await sendAs(type, body);
  expect([reply.statusCode, reply.json().type]).toEqual([200, filed]);
});

test("the content decides the type at Pyroscope's endpoint, whatever sample types the request names", async () => {
  const parts = [
    ["profile", heap],
    ["sample_type_config", Buffer.from(JSON.stringify({ cpu: { "display-name": "cpu" } }))],
  ] as const;
  const body = Buffer.concat([
    ...parts.flatMap(([name, content]) => [
      Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\n\r\n`),
      content,
      Buffer.from("\r\n"),
    ]),
    Buffer.from("--b--\r\n"),
  ]);
  const reply = await server.app.inject({
    method: "POST",
    url: "/ingest",
    query: { name: "pyroscope.cpu" },
    payload: body,
    headers: { ...headers, "content-type": "multipart/form-data; boundary=b" },
  });
  expect(reply.statusCode).toBe(200);
});

test("unknown parameters are listed with the ones that were probably meant", async () => {
  const profile = await send(
    "/api/v1/ingest/profiles",
    { service: "ignored", region: "eu", startedAt: "1795170000123", "tag.zone": "b" },
    cpu,
  );
  expect(profile.json()).toMatchObject({
    ignored: [
      { parameter: "region", hint: "Send tag.region to add a tag." },
      { parameter: "startedAt", hint: "Did you mean started_at?" },
    ],
  });
  const metrics = await send("/api/v1/ingest/http-metrics", { service: "ignored", "tag.region": "eu" }, [
    { timestamp: "2026-11-20T11:59:00Z", duration: 1, status_code: 200, method: "GET", path: "/" },
  ]);
  expect(metrics.json()).toMatchObject({
    accepted: 1,
    ignored: [{ parameter: "tag.region", hint: "HTTP metrics have no tags." }],
  });
});

test("every recorded profile is accepted as the type it was recorded as", async () => {
  const folder = new URL("../../../../../../../examples/shop/recorded/", import.meta.url);
  const manifest = JSON.parse(await readFile(new URL("manifest.json", folder), "utf8"));
  const byType = new Map<string, string>();
  for (const { files } of manifest.recordings) {
    for (const { path, type } of files)
      if (type !== "metrics") byType.set(`${type} ${path.split("/").at(0)}`, path);
  }
  expect(byType.size).toBeGreaterThan(5);
  for (const [key, path] of byType) {
    const type = key.split(" ")[0]!;
    const query = { service: "recorded", type, started_at: "2026-11-20T11:00:00Z" };
    const reply = await send("/api/v1/ingest/profiles", query, await readFile(new URL(path, folder)));
    expect([path, reply.statusCode, reply.json().type]).toEqual([path, 200, type]);
  }
});
