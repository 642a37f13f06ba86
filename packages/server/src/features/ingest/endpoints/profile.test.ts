import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedCounts, storedFolded, storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const at = "2026-11-20T12:00:00.000Z";
const url = "/api/v1/ingest/profiles";
const timeNs = (iso: string) => BigInt(Date.parse(iso)) * 1_000_000n;

const cpu = pprofOf({
  sampleTypes: ["samples/count", "cpu/nanoseconds"],
  samples: [
    ["main;handle;encode", 3, 30_000_000],
    ["main;handle", 1, 10_000_000],
    ["main;handle;encode", 2, 20_000_000],
  ],
  timeNs: timeNs("2026-11-20T11:59:00.250Z"),
  durationNs: 10_000_000_000n,
  periodType: "cpu/nanoseconds",
});

const uneven = pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [["main", 1, 2]], durationNs: 1n });
const contentions = pprofOf({
  sampleTypes: ["contentions/count", "delay/nanoseconds"],
  samples: [["main", 1, 2]],
});
const old = pprofOf({
  sampleTypes: ["cpu/nanoseconds"],
  samples: [["main", 1]],
  timeNs: timeNs("2026-01-01T00:00:00Z"),
});
const wide = pprofOf({ sampleTypes: Array.from({ length: 300 }, (_, i) => `t${i}/count`), samples: [] });

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at });
});
afterAll(() => server.close());

/** A new organization with a key. */
async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = (query: Record<string, string>, payload: Buffer, more: Record<string, string> = {}) =>
    server.app.inject({ method: "POST", url, query, payload, headers: { ...headers, ...more } });
  return { orgId: person.orgId, headers, send };
}

describe("a profile sent to /api/v1/ingest/profiles", () => {
  test("is stored as its columns, its stacks and its bytes", async () => {
    const { orgId, send } = await sender();
    const reply = await send(
      { service: "checkout", "tag.region": "eu", "tag.__proto__": "x", "tag.constructor": "y" },
      gzipSync(cpu),
    );
    expect(reply.statusCode).toBe(200);
    const answer = reply.json();
    expect(answer).toEqual({
      profile_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      service: "checkout",
      type: "cpu",
      started_at: "2026-11-20T11:59:00.250Z",
      sample_count: 6,
      duplicate: false,
      trimmed: { tags: 1 },
      ignored: [],
    });
    const [row] = await storedProfiles(server.ctx.columns, orgId);
    expect(row).toMatchObject({
      profile_id: answer.profile_id,
      service: "checkout",
      type: "cpu",
      started_at: "2026-11-20 11:59:00.250",
      duration_ns: 10_000_000_000,
      tags: { region: "eu", constructor: "y" },
      sample_types: ["samples/count", "cpu/nanoseconds"],
      totals: [6n, 60_000_000n],
      deltas_totals: [6n, 60_000_000n],
      sample_count: 6,
      stack_count: 2,
      raw_bytes: cpu.length,
      sender: "api",
    });
    expect(row?.stacks.length).toBe(2);
    expect(await storedFolded(server.ctx.columns, orgId, "cpu/nanoseconds")).toEqual([
      "main;handle 10000000",
      "main;handle;encode 50000000",
    ]);
  });

  test("may be gzip, zstd or plain under any content type", async () => {
    const { send } = await sender();
    const ids = [];
    for (const [body, type] of [
      [gzipSync(cpu), "application/json"],
      [zstdCompressSync(cpu), "application/x-www-form-urlencoded"],
      [cpu, "text/plain"],
    ] as const) {
      const reply = await send({ service: "checkout" }, body, { "content-type": type });
      expect(reply.statusCode).toBe(200);
      ids.push(reply.json().profile_id);
    }
    expect(new Set(ids).size).toBe(1);
  });

  test.each([
    ["below zero", -5n],
    ["of centuries", 2n ** 63n - 1n],
  ])("with a duration %s has no stored duration", async (_, durationNs) => {
    const { orgId, send } = await sender();
    const body = pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [["main", 1]], durationNs });
    expect((await send({ service: "s" }, gzipSync(body))).statusCode).toBe(200);
    expect(await storedProfiles(server.ctx.columns, orgId)).toMatchObject([{ duration_ns: 0 }]);
  });

  test("with a NUL in a tag is taken, the character replaced and counted", async () => {
    const { orgId, send } = await sender();
    const reply = await send({ service: "s", "tag.x": "a\0b" }, gzipSync(cpu));
    expect([reply.statusCode, reply.json().trimmed]).toEqual([200, { tag_text: 1 }]);
    expect(await storedProfiles(server.ctx.columns, orgId)).toMatchObject([{ tags: { x: "a\ufffdb" } }]);
  });

  test("may be compressed once more by the sender, and that layer is not kept", async () => {
    const { orgId, send } = await sender();
    const plain = (await send({ service: "s" }, cpu)).json();
    for (const [index, body] of [gzipSync(cpu), zstdCompressSync(cpu)].entries()) {
      const service = `s${index}`;
      const reply = await send({ service }, gzipSync(body), { "content-encoding": "gzip" });
      expect(reply.json()).toMatchObject({ service, sample_count: plain.sample_count });
      const kept = await server.ctx.payloads.read(orgId, reply.json().profile_id);
      expect(Buffer.from(kept!.bytes).equals(body)).toBe(true);
    }
    const encoded = { "content-encoding": "gzip" };
    const again = await send({ service: "s" }, gzipSync(gzipSync(cpu)), encoded);
    expect(again.json()).toEqual({ ...plain, duplicate: true });
  });

  test("reports tags that were changed or left out", async () => {
    const { orgId, send } = await sender();
    const query = {
      service: "s",
      "tag.__x": "1",
      "tag.empty": "",
      "tag.twice": ["a", "b"],
      "tag.bell": "\u0007",
      "tag.plain": " c ",
    };
    const reply = await send(query as unknown as Record<string, string>, cpu);
    expect(reply.json()).toMatchObject({ trimmed: { tags: 3, tag_text: 1 } });
    const [row] = await storedProfiles(server.ctx.columns, orgId);
    expect(row?.tags).toEqual({ bell: "\ufffd", plain: "c", twice: "b" });
  });

  test("takes type, time and the service's name from the query", async () => {
    const { send } = await sender();
    const reply = await send(
      { service: " shop/api-v1.2_x ", type: "custom", started_at: "1795170000123" },
      cpu,
    );
    expect(reply.json()).toMatchObject({
      service: "shop/api-v1.2_x",
      type: "custom",
      started_at: new Date(1_795_170_000_123).toISOString(),
    });
  });

  test("keeps 64-bit values whole", async () => {
    const { orgId, send } = await sender();
    const big = 2n ** 53n + 1n;
    const body = pprofOf({
      sampleTypes: ["cpu/nanoseconds"],
      samples: [
        ["main", big],
        ["main;f", -3n],
      ],
      durationNs: 1n,
    });
    expect((await send({ service: "s" }, body)).statusCode).toBe(200);
    const [row] = await storedProfiles(server.ctx.columns, orgId);
    expect(row?.totals).toEqual([big - 3n]);
    expect(row?.values[0]?.toSorted()).toEqual([-3n, big].toSorted());
  });

  test("may have no samples: an idle service", async () => {
    const { orgId, send } = await sender();
    const body = pprofOf({ sampleTypes: ["samples/count", "cpu/nanoseconds"], samples: [], durationNs: 1n });
    expect((await send({ service: "s" }, body)).json()).toMatchObject({ sample_count: 0, type: "cpu" });
    const [row] = await storedProfiles(server.ctx.columns, orgId);
    expect(row).toMatchObject({ stacks: [], values: [[], []], totals: [0n, 0n] });
  });
});

describe("the same profile again", () => {
  test("has the same id and is stored once, in the roll-ups too", async () => {
    const { orgId, send } = await sender();
    const replies = await Promise.all(Array.from({ length: 8 }, () => send({ service: "s" }, gzipSync(cpu))));
    const again = await send({ service: "s" }, gzipSync(cpu));
    const answers = [...replies, again].map((reply) => reply.json());
    expect(new Set(answers.map(({ profile_id }) => profile_id)).size).toBe(1);
    expect(answers.filter(({ duplicate }) => !duplicate).length).toBe(1);
    expect(again.json().duplicate).toBe(true);
    expect(await storedCounts(server.ctx, orgId)).toMatchObject({
      profiles: 1,
      payloads: 1,
      rolledUp: 1,
    });
  });

  test("is recognised although only its arrival gave it a time", async () => {
    const { orgId, send } = await sender();
    const body = pprofOf({ sampleTypes: ["goroutine/count"], samples: [["main", 1]] });
    const first = (await send({ service: "s" }, body)).json();
    server.clock.advance(2000);
    const second = (await send({ service: "s" }, body)).json();
    expect(second).toEqual({ ...first, duplicate: true });
    expect((await storedCounts(server.ctx, orgId)).profiles).toBe(1);
  });

  test("of another organization, service or time is another profile", async () => {
    const one = await sender();
    const other = await sender();
    const replies = await Promise.all([
      one.send({ service: "s" }, cpu),
      one.send({ service: "t" }, cpu),
      one.send({ service: "s", started_at: "2026-11-20T11:00:00Z" }, cpu),
      other.send({ service: "s" }, cpu),
    ]);
    expect(new Set(replies.map((reply) => reply.json().profile_id)).size).toBe(4);
    expect((await storedProfiles(server.ctx.columns, other.orgId)).length).toBe(1);
  });
});

describe("refusals say what to change", () => {
  // One person for all: repeated sign-ups are rate limited.
  let refusedOne: Awaited<ReturnType<typeof sender>>;
  beforeAll(async () => {
    refusedOne = await sender();
  });

  test.each([
    ["no service", {}, cpu, 400, /service is required/],
    ["a service of spaces", { service: "   " }, cpu, 400, /service is required/],
    ["a service twice", { service: ["a", "b"] }, cpu, 400, /^service is given 2 times in the URL: keep one$/],
    [
      "a service under a misspelt name",
      { srvice: "checkout", region: "eu" },
      cpu,
      400,
      /^service is required: .*\. The URL has srvice: did you mean service\?$/,
    ],
    [
      "a type under a misspelt name",
      { service: "s", Type: "mutex" },
      contentions,
      400,
      /^type is required .*The URL has Type: did you mean type\?$/,
    ],
    [
      "a time under a misspelt name",
      { service: "s", startedAt: "1795170000123" },
      old,
      422,
      /give its start as started_at; .* The URL has startedAt: did you mean started_at\?$/,
    ],
    [
      "a type twice",
      { service: "s", type: ["cpu", "cpu"] },
      cpu,
      400,
      /^type is given 2 times in the URL: keep/,
    ],
    [
      "a time thrice",
      { service: "s", started_at: ["1", "2", "3"] },
      cpu,
      400,
      /^started_at is given 3 times in the URL: keep one$/,
    ],
    [
      "a delta twice",
      { service: "s", delta: ["true", "true"] },
      cpu,
      400,
      /^delta is given 2 times in the URL/,
    ],
    [
      "a time in seconds",
      { service: "s", started_at: "1795170000" },
      cpu,
      400,
      /^started_at looks like Unix sec/,
    ],
    [
      "a given time that is too old",
      { service: "s", started_at: "2026-10-20T12:00:00Z", timestamp: "1" },
      cpu,
      422,
      /^The profile is from 2026-10-20\S+ and only 30 days are kept\. If the time is wrong, correct started_at; [^?]*$/,
    ],
    ["a long service", { service: "s".repeat(201) }, cpu, 422, /longer than 200 characters. Shorten it/],
    ["a service with markup", { service: "<b>x</b>" }, cpu, 422, /service name/],
    ["a service that starts with a dot", { service: ".a" }, cpu, 422, /starts with a letter, a digit or _,/],
    ["an unknown type", { service: "s", type: "memroy" }, cpu, 400, /must be one of cpu, .*heap, allocs/],
    ["a wrong time", { service: "s", started_at: "yesterday" }, cpu, 400, /started_at must be/],
    ["an old profile", { service: "s", started_at: "2026-10-20T12:00:00Z" }, cpu, 422, /RETENTION_DAYS/],
    ["a profile from the future", { service: "s", started_at: "2026-11-20T12:11:00Z" }, cpu, 422, /ahead/],
    ["an empty body", { service: "s" }, Buffer.alloc(0), 400, /empty/],
    ["text", { service: "s" }, Buffer.from("404 page not found\n"), 400, /text/],
    ["a cut profile", { service: "s" }, gzipSync(cpu).subarray(0, -10), 400, /gzip stream is damaged/],
    [
      "a cut profile without compression",
      { service: "s" },
      cpu.subarray(0, -3),
      400,
      /or it is damaged.* unchanged\.$/,
    ],
    ["values without sample types", { service: "s" }, uneven, 400, /sample types.* Correct the program/],
    ["two profiles in one", { service: "s" }, Buffer.concat([cpu, cpu]), 400, /Send each of them by itself/],
    ["300 sample types", { service: "s" }, wide, 413, /more than 128 sample types\. Send several profiles/],
    ["gzip twice, without a Content-Encoding", { service: "s" }, gzipSync(gzipSync(cpu)), 400, /gzip/],
  ])("%s", async (_, query, body, status, words) => {
    const { orgId, send } = refusedOne;
    const reply = await send(query as unknown as Record<string, string>, body);
    expect(reply.statusCode).toBe(status);
    expect(reply.json()).toMatchObject({ error: expect.stringMatching(words), code: expect.any(String) });
    expect((await storedCounts(server.ctx, orgId)).profiles).toBe(0);
  });

  test.each([
    ["three layers", gzipSync(gzipSync(gzipSync(cpu))), /compressed more than twice/],
    ["a second layer cut", gzipSync(gzipSync(cpu).subarray(0, -9)), /gzip stream is damaged/],
  ])("%s", async (_, body, words) => {
    const { send } = refusedOne;
    const reply = await send({ service: "s" }, body, { "content-encoding": "gzip" });
    expect([reply.statusCode, reply.json().error]).toEqual([400, expect.stringMatching(words)]);
  });

  test("profiles older than the organization's own retention", async () => {
    const person = await server.signUp();
    const { headers } = await server.makeKey(person);
    await server.app.inject({
      method: "PUT",
      url: "/api/v1/protected/organization/retention",
      headers: person.headers,
      payload: { retention_days: 1 },
    });
    const sent = (started_at: string) =>
      server.app.inject({ method: "POST", url, query: { service: "s", started_at }, payload: cpu, headers });
    expect((await sent("2026-11-19T13:00:00Z")).statusCode).toBe(200);
    const reply = await sent("2026-11-18T12:00:00Z");
    expect([reply.statusCode, reply.json().error]).toEqual([
      422,
      expect.stringMatching(/only one day is kept.* raise retention_days of the organization/),
    ]);
  });

  test("a missing or wrong key, before the body is read", async () => {
    for (const headers of [{}, { "x-api-key": "fk_wrong" }]) {
      const reply = await server.app.inject({
        method: "POST",
        url,
        query: { service: "s" },
        payload: cpu,
        headers,
      });
      expect(reply.statusCode).toBe(401);
    }
  });

  test("a key in the address, which is not read", async () => {
    const { headers } = await sender();
    const query = { service: "s", api_key: headers["x-api-key"]! };
    const reply = await server.app.inject({ method: "POST", url, query, payload: cpu });
    expect([reply.statusCode, reply.json().error]).toEqual([
      401,
      expect.stringMatching(/^API keys in the address are rejected.* X-API-Key header, and revoke this one/),
    ]);
  });

  test("accepts the key in X-API-Key, as bearer or as Basic password", async () => {
    const { headers } = await sender();
    const key = headers["x-api-key"];
    for (const way of [
      { "x-api-key": key },
      { authorization: `Bearer ${key}` },
      { authorization: `Basic ${Buffer.from(`user:${key}`).toString("base64")}` },
    ]) {
      const reply = await server.app.inject({
        method: "POST",
        url,
        query: { service: "s" },
        payload: cpu,
        headers: way,
      });
      expect(reply.statusCode).toBe(200);
    }
  });
});

describe("a profile that is sent again with other tags", () => {
  const tagged = { service: "again", "tag.version": "v1" };
  const long = { service: "again", "tag.version": "v".repeat(10_000) };

  test("is answered with a notice and nothing trimmed", async () => {
    const { orgId, send } = await sender();
    const first = (await send(tagged, gzipSync(cpu))).json();
    expect(first).not.toHaveProperty("notice");
    expect((await send(tagged, gzipSync(cpu))).json()).toEqual({ ...first, duplicate: true });
    const other = (await send(long, gzipSync(cpu))).json();
    expect(other).toEqual({
      ...first,
      duplicate: true,
      trimmed: {},
      notice:
        "This profile is already stored, with the tags of its first upload. The different tags of this upload were not stored.",
    });
    expect(await storedProfiles(server.ctx.columns, orgId)).toMatchObject([{ tags: { version: "v1" } }]);
  });
});

describe("bytes that are no profile", () => {
  const random = Buffer.from("0a120804100c1a0c08051006220608011002180322060e0a", "hex");

  test("are named so, and called compressed only if they were", async () => {
    const { send } = await sender();
    const plain = await send({ service: "s" }, random);
    expect([plain.statusCode, plain.json().error]).toEqual([
      400,
      expect.stringMatching(/^This is not a pprof profile, or it is damaged: .+ \(byte \d+\)\. Send the/),
    ]);
    expect((await send({ service: "s" }, gzipSync(random))).json().error).toMatch(
      /\(byte \d+ of the decompressed profile\)\. Send/,
    );
  });
});
