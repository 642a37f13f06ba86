import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { type StoredProfileRow, storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { parsePyroscopeName, parsePyroscopeTime } from "./pyroscope.ts";

const captured = new URL("../../../../../../../shared/fixtures/pyroscope-go/", import.meta.url);
const contentions = pprofOf({
  sampleTypes: ["contentions/count", "delay/nanoseconds"],
  samples: [["main;lock", 2, 50]],
});

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T18:00:00.000Z" });
});
afterAll(() => server.close());

async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = (url: string, payload: Buffer, more: Record<string, string> = {}) =>
    server.app.inject({ method: "POST", url, payload, headers: { ...headers, ...more } });
  return { orgId: person.orgId, key: headers["x-api-key"], send };
}

interface Capture {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

function capture(number: number): Capture {
  const name = `req${String(number).padStart(2, "0")}`;
  const { line, headers } = JSON.parse(readFileSync(new URL(`${name}.json`, captured), "utf8"));
  return {
    url: line.split(" ")[1],
    headers: Object.fromEntries(headers.map(([key, value]: [string, string]) => [key.toLowerCase(), value])),
    body: readFileSync(new URL(`${name}.body`, captured)),
  };
}

describe.skipIf(!existsSync(captured))("requests of an older Go SDK, captured outside the repository", () => {
  const captures = existsSync(captured) ? Array.from({ length: 10 }, (_, i) => capture(i + 1)) : [];

  test("is answered with exactly 200 and {}, and stored with type, service, tags, time and totals", async () => {
    const { orgId, key } = await sender();
    for (const { url, headers, body } of captures) {
      const reply = await server.app.inject({
        method: "POST",
        url,
        payload: body,
        headers: { ...headers, "x-api-key": key },
      });
      expect([reply.statusCode, reply.body, reply.headers["content-type"]]).toEqual([
        200,
        "{}",
        expect.stringContaining("application/json"),
      ]);
    }
    const rows = await storedProfiles(server.ctx.columns, orgId);
    expect(rows.length).toBe(captures.length);
    for (const row of rows) {
      expect(row).toMatchObject({
        service: "shop.checkout",
        sender: "pyroscope",
        tags: { region: "eu", version: "1.2.3", go_version: "go1.23.5", "process.runtime.name": "go" },
      });
      expect(Object.keys(row.tags).length).toBe(4);
      expect(row.duration_ns).toBeGreaterThan(0);
      // The SDK subtracts for itself.
      expect(row.deltas_totals).toEqual(row.totals);
    }
    expect(countByType(rows)).toEqual({ block: 2, cpu: 1, goroutine: 3, memory: 2, mutex: 2 });
  });

  test("works over a real connection too", async () => {
    const { orgId, key } = await sender();
    const address = await server.app.listen({ port: 0, host: "127.0.0.1" });
    for (const { url, headers, body } of captures.slice(4, 5)) {
      const { host: _, "content-length": __, ...kept } = headers;
      const reply = await fetch(`${address}/pyroscope${url}`, {
        method: "POST",
        headers: { ...kept, "x-api-key": key },
        body: new Uint8Array(body),
      });
      expect([reply.status, await reply.text()]).toEqual([200, "{}"]);
      const [row] = await storedProfiles(server.ctx.columns, orgId);
      expect(row).toMatchObject({ type: "cpu", started_at: "2026-11-20 17:45:16.990", sample_count: 119 });
      expect(row?.stack_count).toBeLessThan(101);
    }
  });
});

function countByType(rows: readonly StoredProfileRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of rows) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

function form(parts: Record<string, string | Buffer>): {
  payload: Buffer;
  headers: { "content-type": string };
} {
  const chunks = Object.entries(parts).flatMap(([name, body]) => [
    Buffer.from(`--xyz\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n`),
    Buffer.from(body),
    Buffer.from("\r\n"),
  ]);
  return {
    payload: Buffer.concat([...chunks, Buffer.from("--xyz--\r\n")]),
    headers: { "content-type": "multipart/form-data; boundary=xyz" },
  };
}

describe("the endpoint of Pyroscope's clients", () => {
  test("distinguishes block from mutex by the display names", async () => {
    const { orgId, send } = await sender();
    for (const kind of ["block", "mutex"]) {
      const config = JSON.stringify({
        delay: { "display-name": `${kind}_duration`, units: "lock_nanoseconds" },
      });
      const { payload, headers } = form({ profile: gzipSync(contentions), sample_type_config: config });
      const reply = await send(`/ingest?name=${kind}app&from=1795197600&until=1795197615`, payload, headers);
      expect(reply.statusCode).toBe(200);
    }
    const rows = await storedProfiles(server.ctx.columns, orgId);
    expect(rows.map(({ service, type, duration_ns }) => [service, type, duration_ns])).toEqual([
      ["blockapp", "block", 15_000_000_000],
      ["mutexapp", "mutex", 15_000_000_000],
    ]);
  });

  test("takes the pprof itself, and service_name before the application", async () => {
    const { orgId, send } = await sender();
    const name = encodeURIComponent("app{service_name=real,zone=b}");
    expect((await send(`/ingest?format=pprof&name=${name}`, contentions)).statusCode).toBe(200);
    expect((await send(`/pyroscope/ingest?name=${name}&from=now-1h`, gzipSync(contentions))).statusCode).toBe(
      200,
    );
    const rows = await storedProfiles(server.ctx.columns, orgId);
    expect(rows.map(({ service, tags, started_at }) => [service, tags, started_at.slice(11, 16)])).toEqual([
      ["real", { app_name: "app", zone: "b" }, "17:00"],
      ["real", { app_name: "app", zone: "b" }, "18:00"],
    ]);
  });

  test.each([
    ["a format that is not taken", "/ingest?name=a&format=trie", contentions, 422, /Send pprof/],
    ["an unknown format", "/ingest?name=a&format=xyz", contentions, 422, /Send pprof/],
    ["folded stacks", "/ingest?name=a", Buffer.from("a;b 100\n"), 422, /folded/],
    ["no name", "/ingest", contentions, 400, /name/],
    ["two names", "/ingest?name=a&name=b", contentions, 400, /^name is given 2 times/],
    ["a broken name", "/ingest?name=a%7Bb", contentions, 400, /brace/],
    ["a wrong time", "/ingest?name=a&format=pprof&from=soon", contentions, 400, /from must be/],
    [
      "an old upload",
      "/ingest?name=a&format=pprof&from=20200101",
      contentions,
      422,
      /correct from; .*RETENTION_DAYS/,
    ],
    ["no profile", "/ingest?name=a&format=pprof", Buffer.from("hello"), 400, /text/],
  ])("refuses %s with code and message", async (_, url, body, status, words) => {
    const { send } = await sender();
    const reply = await send(url, body);
    expect(reply.statusCode).toBe(status);
    const { error, code, message } = reply.json();
    expect(error).toMatch(words);
    expect(message).toBe(error);
    expect(code).toMatch(/^[a-z_]+$/);
  });

  test.each([
    ["without a profile", form({ other: "x" }), 400, /no part named profile/],
    ["with prev_profile", form({ profile: "x", prev_profile: "y" }), 422, /prev_profile/],
    ["with a recording that is none", form({ jfr: "x" }), 400, /this is text/],
    [
      "with a broken config",
      form({ profile: contentions, sample_type_config: "{" }),
      400,
      /sample_type_config/,
    ],
    [
      "cut off",
      { ...form({}), payload: Buffer.from("--xyz\r\nContent-Disposition: form-data") },
      400,
      /multipart/,
    ],
  ])("refuses a form %s", async (_, { payload, headers }, status, words) => {
    const { send } = await sender();
    const reply = await send("/ingest?name=a", payload, headers);
    expect(reply.statusCode).toBe(status);
    expect(reply.json().error).toMatch(words);
  });

  test.each([
    ["no bytes", Buffer.alloc(0)],
    ["no bytes, gzipped", gzipSync("")],
  ])("answers 200 to an empty profile of %s, and stores nothing", async (_, profile) => {
    const { orgId, send } = await sender();
    const { payload, headers } = form({ profile });
    const reply = await send("/ingest?name=a", payload, headers);
    expect([reply.statusCode, reply.json()]).toEqual([200, {}]);
    expect(await storedProfiles(server.ctx.columns, orgId)).toEqual([]);
  });

  test.each([
    ["zeros", Buffer.alloc(1024 * 1024)],
    ["gzipped zeros", gzipSync(Buffer.alloc(16 * 1024 * 1024))],
    ["a profile without its strings", contentions.subarray(0, contentions.indexOf("contentions") - 4)],
  ])("refuses %s, which are no empty profile", async (_, profile) => {
    const { send } = await sender();
    const { payload, headers } = form({ profile });
    const reply = await send("/ingest?name=a", payload, headers);
    expect(reply.statusCode).toBe(400);
    expect(reply.json().message).toMatch(
      /^This is not a pprof profile, or it is damaged: The profile has no string table\. Send the/,
    );
  });

  test("answers 401 in the same shape", async () => {
    const reply = await server.app.inject({ method: "POST", url: "/ingest?name=a", payload: contentions });
    expect(reply.statusCode).toBe(401);
    expect(reply.json().message).toBe(reply.json().error);
  });
});

function parsed(text: string): unknown {
  const read = parsePyroscopeName(text);
  return read.ok ? [read.value.app, ...read.value.labels] : read.refusal.code;
}

test.each([
  ["app", ["app"]],
  ["app{}", ["app"]],
  [" app { a = b , c=d } ", ["app", ["a", "b"], ["c", "d"]]],
  ["app{a=}", ["app", ["a", ""]]],
  ["app{a=b=c}", ["app", ["a", "b=c"]]],
  ["app{a=1,a=2}", ["app", ["a", "2"]]],
  ["app{__proto__=x,constructor=y}", ["app", ["__proto__", "x"], ["constructor", "y"]]],
  ["app{a={b}", ["app", ["a", "{b"]]],
])("reads %s", (text, expected) => {
  expect(parsed(text)).toEqual(expected);
});

test.each(["", "{}", "{a=b}", "app{", "app{a=b", "app{a}", "app{=b}", "app{a=b}x", "a}b", "app{__name__=x}"])(
  "refuses %s",
  (text) => {
    expect(parsed(text)).toBe("invalid");
  },
);

test("stays linear on a long hostile name", () => {
  expect(parsed(`app{${"=".repeat(20_000)}`)).toBe("invalid");
  expect(parsed(`app{${"a=b,".repeat(4000)}}`)).toEqual(["app", ["a", "b"]]);
});

const nowMs = Date.UTC(2026, 10, 20, 12);

test.each([
  ["now", "2026-11-20T12:00:00.000Z"],
  ["now-1h", "2026-11-20T11:00:00.000Z"],
  ["now-30s", "2026-11-20T11:59:30.000Z"],
  ["20261119", "2026-11-19T00:00:00.000Z"],
  ["1795196715", "2026-11-20T17:45:15.000Z"],
  ["1795196715123", "2026-11-20T17:45:15.123Z"],
  ["1795196715123456", "2026-11-20T17:45:15.123Z"],
  ["1795196715123456789", "2026-11-20T17:45:15.123Z"],
  ["99999999", "1973-03-03T09:46:39.000Z"],
])("reads %s", (text, expected) => {
  const ns = parsePyroscopeTime(text, nowMs);
  expect(new Date(Number((ns ?? 0n) / 1_000_000n)).toISOString()).toBe(expected);
});

test.each(["", "yesterday", "-5", "1.5", "now+1h", "now-", "1".repeat(20), "0x10", "20260230"])(
  "refuses %s",
  (text) => {
    expect(parsePyroscopeTime(text, nowMs)).toBeUndefined();
  },
);
