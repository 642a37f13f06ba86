import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { type PushedSeries, pushJson, pushMessage } from "#ingest/testing/push-request.ts";
import { storedFolded, storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { readSeriesJson } from "./push.ts";
import { pushRequest } from "./push-message.ts";

const path = "/push.v1.PusherService/Push";
const at = "2026-11-20T18:00:00.000Z";
const timeNs = BigInt(Date.parse(at)) * 1_000_000n - 60_000_000_000n;

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at, env: { INGEST_MAX_PROFILES: "5" } });
});
afterAll(() => server.close());

const cpu = (value: number) =>
  pprofOf({
    sampleTypes: ["cpu/nanoseconds"],
    samples: [["main;work", value]],
    timeNs,
    durationNs: 10_000_000_000n,
  });
const heap = pprofOf({
  sampleTypes: ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"],
  samples: [["main;keep", 3, 300, 2, 200]],
  timeNs,
});
const contentions = pprofOf({
  sampleTypes: ["contentions/count", "delay/nanoseconds"],
  samples: [["main;lock", 2, 50]],
  timeNs,
});

interface Sent {
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
}

async function sender() {
  const person = await server.signUp();
  const { headers, key } = await server.makeKey(person);
  const send = ({ body, headers: more = {}, url = path }: Sent) =>
    server.app.inject({
      method: "POST",
      url,
      payload: Buffer.from(body),
      headers: { ...headers, "content-type": "application/proto", ...more },
    });
  const rows = () => storedProfiles(server.ctx.columns, person.orgId);
  return { orgId: person.orgId, key, send, rows };
}

const series = (labels: Readonly<Record<string, string>>, ...profiles: Uint8Array[]): PushedSeries => ({
  labels: { service_name: "checkout", ...labels },
  profiles,
});

describe("push.v1.PusherService/Push", () => {
  test("stores each sample of each series, and answers an empty message of the same codec", async () => {
    const { send, rows } = await sender();
    const body = pushMessage([
      series({ __name__: "process_cpu", region: "eu", __session_id__: "x" }, cpu(10), gzipSync(cpu(20))),
      series({ __name__: "memory", region: "eu", __delta__: "false" }, gzipSync(heap)),
    ]);
    const reply = await send({ body, headers: { "connect-protocol-version": "1" } });
    expect([reply.statusCode, reply.body, reply.headers["content-type"]]).toEqual([
      200,
      "",
      "application/proto",
    ]);
    const stored = await rows();
    expect(stored.map(({ type, totals }) => [type, totals.at(-1)])).toEqual(
      expect.arrayContaining([
        ["cpu", 10n],
        ["cpu", 20n],
        ["memory", 200n],
      ]),
    );
    expect(stored.length).toBe(3);
    for (const row of stored) {
      expect(row).toMatchObject({
        service: "checkout",
        sender: "push",
        tags: { region: "eu" },
        started_at: "2026-11-20 17:59:00.000",
        trimmed: {},
      });
    }
    // Deltas already: `__delta__` says so.
    expect(stored.find(({ type }) => type === "memory")?.deltas_totals).toEqual([3n, 300n, 2n, 200n]);
  });

  test.each([
    ["gzip", gzipSync],
    ["zstd", zstdCompressSync],
  ])("takes a request compressed with %s", async (encoding, compress) => {
    const { send, rows } = await sender();
    const body = compress(pushMessage([series({ __name__: "process_cpu" }, gzipSync(cpu(10)))]));
    const reply = await send({ body, headers: { "content-encoding": encoding } });
    expect(reply.statusCode).toBe(200);
    expect((await rows()).length).toBe(1);
  });

  test("takes JSON, and answers JSON", async () => {
    const { send, rows } = await sender();
    const message = pushJson([series({ __name__: "process_cpu", region: "eu" }, gzipSync(cpu(10)))]);
    const reply = await send({
      body: Buffer.from(JSON.stringify(message)),
      headers: { "content-type": "application/json; charset=utf-8" },
    });
    expect([reply.statusCode, reply.body, reply.headers["content-type"]]).toEqual([
      200,
      "{}",
      "application/json",
    ]);
    expect(await rows()).toMatchObject([{ service: "checkout", type: "cpu", tags: { region: "eu" } }]);
  });

  test("distinguishes block from mutex by __name__, and files a series without service_name as unknown_service", async () => {
    const { send, rows } = await sender();
    const body = pushMessage([
      { labels: { __name__: "block", __delta__: "false" }, profiles: [contentions] },
      { labels: { __name__: "mutex", __delta__: "false" }, profiles: [contentions] },
    ]);
    expect((await send({ body })).statusCode).toBe(200);
    expect((await rows()).map(({ service, type }) => [service, type])).toEqual([
      ["unknown_service", "block"],
      ["unknown_service", "mutex"],
    ]);
  });

  test("stores nothing twice, and nothing at all if one profile is refused", async () => {
    const { orgId, send, rows } = await sender();
    const good = series({ __name__: "process_cpu" }, cpu(10));
    const refused = await send({
      body: pushMessage([good, series({ __name__: "memory" }, Buffer.from("\x0a\xff"))]),
    });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({
      code: "invalid_argument",
      message: expect.stringMatching(/^Series 1, sample 0: .* Nothing of the request was stored\.$/),
    });
    expect(await rows()).toEqual([]);

    for (let time = 0; time < 2; time++)
      expect((await send({ body: pushMessage([good]) })).statusCode).toBe(200);
    expect((await rows()).length).toBe(1);
    // The refused request brought the stacks first: they were not taken for stored.
    expect(await storedFolded(server.ctx.columns, orgId, "cpu/nanoseconds")).toEqual(["main;work 10"]);
  });

  test("counts the records of its profiles towards the limit on samples, not their values", async () => {
    const { send, rows } = await sender();
    const counting = (count: number) =>
      pprofOf({
        sampleTypes: ["contentions/count", "delay/nanoseconds"],
        samples: [["main;lock", count, 50]],
        timeNs,
      });
    const body = pushMessage([
      series({ __name__: "mutex", __delta__: "false" }, counting(5_000_000), counting(7)),
    ]);
    expect((await send({ body })).statusCode).toBe(200);
    expect((await rows()).length).toBe(2);
  });

  test("answers 200 to an empty profile and stores nothing", async () => {
    const { send, rows } = await sender();
    const body = pushMessage([series({ __name__: "process_cpu" }, new Uint8Array(), gzipSync(""))]);
    expect((await send({ body })).statusCode).toBe(200);
    expect(await rows()).toEqual([]);
  });

  test("takes the key as SDKs and Alloy send it, and the base path of old settings", async () => {
    const { key, send, rows } = await sender();
    const ways = [
      { authorization: `Basic ${Buffer.from(`1234:${key}`).toString("base64")}`, "x-scope-orgid": "1234" },
      { authorization: `Bearer ${key}` },
    ];
    for (const [index, way] of ways.entries()) {
      const body = pushMessage([series({ __name__: "process_cpu" }, cpu(index + 1))]);
      const reply = await send({ body, headers: { "x-api-key": "", ...way }, url: `/pyroscope${path}` });
      expect(reply.statusCode).toBe(200);
    }
    expect((await rows()).length).toBe(2);
  });
});

describe("refusals of push have Connect's form", () => {
  const good = () => pushMessage([series({ __name__: "process_cpu" }, cpu(10))]);
  const many = (count: number, value: PushedSeries) =>
    pushMessage(Array.from({ length: count }, () => value));
  const manyLabels = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`l${i}`, "x"]));
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));

  test.each<[string, Sent, number, string, RegExp]>([
    ["no profile", { body: new Uint8Array() }, 400, "invalid_argument", /no profile/],
    ["a cut message", { body: good().subarray(0, 40) }, 400, "invalid_argument", /PushRequest.*byte/],
    ["a pprof without a message", { body: cpu(10) }, 400, "invalid_argument", /PushRequest/],
    [
      "too many profiles",
      { body: many(6, series({}, cpu(1))) },
      400,
      "invalid_argument",
      /INGEST_MAX_PROFILES/,
    ],
    ["too many empty series", { body: many(6, series({})) }, 400, "invalid_argument", /INGEST_MAX_PROFILES/],
    ["too many labels", { body: many(1, series(manyLabels, cpu(1))) }, 400, "invalid_argument", /100 labels/],
    ["damaged gzip", { body: gzipSync(good()).subarray(0, 30) }, 400, "invalid_argument", /gzip/],
    [
      "zeros",
      { body: pushMessage([series({}, Buffer.alloc(1000))]) },
      400,
      "invalid_argument",
      /string table/,
    ],
    [
      "another version",
      { body: good(), headers: { "connect-protocol-version": "2" } },
      400,
      "invalid_argument",
      /Version/,
    ],
    [
      "another codec",
      { body: good(), headers: { "content-type": "application/thrift" } },
      415,
      "unimplemented",
      /Content-Type/,
    ],
    [
      "another compression",
      { body: good(), headers: { "content-encoding": "br" } },
      501,
      "unimplemented",
      /Encoding/,
    ],
    ["a wrong key", { body: good(), headers: { "x-api-key": "fk_wrong" } }, 401, "unauthenticated", /key/],
    [
      "JSON that is none",
      { body: Buffer.from("{"), headers: { "content-type": "application/json" } },
      400,
      "invalid_argument",
      /PushRequest/,
    ],
    [
      "JSON of another form",
      { body: json({ series: [{ labels: 1 }] }), headers: { "content-type": "application/json" } },
      400,
      "invalid_argument",
      /series\.0\.labels/,
    ],
    [
      "JSON whose profile is no base64",
      {
        body: json({ series: [{ samples: [{ rawProfile: "!!!!" }] }] }),
        headers: { "content-type": "application/json" },
      },
      400,
      "invalid_argument",
      /series\.0\.samples\.0\.rawProfile: invalid base64/,
    ],
    [
      "deep JSON",
      { body: gzipSync("[".repeat(8_000_000)), headers: { "content-type": "application/json" } },
      400,
      "invalid_argument",
      /INGEST_MAX_PROFILES/,
    ],
  ])("%s", async (_, sent, status, code, message) => {
    const { send, rows } = await sender();
    const reply = await send(sent);
    expect([reply.statusCode, reply.headers["content-type"]]).toEqual([status, "application/json"]);
    expect(reply.json()).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(Object.keys(reply.json()).sort()).toEqual(["code", "message", "request_id"]);
    expect(await rows()).toEqual([]);
  });

  test("messages and profiles inside them that inflate beyond the limit", async () => {
    const bounded = await startApp({ at, env: { INGEST_MAX_INFLATED_BYTES: "100000" } });
    const person = await bounded.signUp();
    const { headers } = await bounded.makeKey(person);
    const send = (payload: Buffer) =>
      bounded.app.inject({
        method: "POST",
        url: path,
        payload,
        headers: { ...headers, "content-type": "application/proto" },
      });
    // 60 KB of a field that no profile has: each profile is allowed, both together are not.
    const padded = gzipSync(Buffer.concat([cpu(1), Buffer.alloc(60_000, Buffer.of(0xf8, 0x7f, 1))]));
    const bodies = [
      gzipSync(Buffer.alloc(200_000)),
      pushMessage([series({}, gzipSync(Buffer.alloc(200_000)))]),
      pushMessage([series({}, padded, padded)]),
    ];
    for (const body of bodies) {
      const reply = await send(body);
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject({
        code: "invalid_argument",
        message: expect.stringContaining("larger than 100000 bytes when decompressed"),
      });
    }
    await bounded.close();
  });
});

describe("counters that are pushed", () => {
  const snapshot = (second: number, bytes: number) =>
    pprofOf({
      sampleTypes: ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"],
      samples: [["main;keep", 1, bytes, 1, 100]],
      timeNs: timeNs + BigInt(second) * 1_000_000_000n,
      vdso: 0x7f0000001000,
    });
  const added = (rows: readonly { deltas_totals: bigint[] }[]) =>
    rows.map(({ deltas_totals }) => Number(deltas_totals[1]));

  test("since the start of the process are compared, also after a restart of the server", async () => {
    const { send, rows, key } = await sender();
    await send({ body: pushMessage([series({ __name__: "memory" }, snapshot(0, 500))]) });
    const again = await server.createApp();
    const reply = await again.inject({
      method: "POST",
      url: path,
      payload: Buffer.from(pushMessage([series({ __name__: "memory" }, snapshot(15, 520))])),
      headers: { "x-api-key": key, "content-type": "application/proto" },
    });
    await again.close();
    expect(reply.statusCode).toBe(200);
    expect(added(await rows())).toEqual([0, 20]);
  });

  test("as deltas are not counted twice by a new session in the same process", async () => {
    const { send, rows } = await sender();
    const session = (id: string) => ({ __name__: "memory", __delta__: "false", __session_id__: id });
    for (const [i, [id, bytes]] of (
      [
        ["1", 500],
        ["1", 20],
        ["2", 530],
        ["2", 30],
      ] as const
    ).entries()) {
      const reply = await send({ body: pushMessage([series(session(id), snapshot(i, bytes))]) });
      expect(reply.statusCode).toBe(200);
    }
    expect(added(await rows())).toEqual([500, 20, 0, 30]);
  });
});

test("a push with a snapshot of a second process names it, and stores the profiles before and after it", async () => {
  const { send, rows } = await sender();
  const heapOf = (minutes: number, megabytes: number) =>
    pprofOf({
      sampleTypes: ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"],
      samples: [["main;keep", megabytes, megabytes * 1e6, 1, 100]],
      timeNs: timeNs + BigInt(minutes - 30) * 60_000_000_000n,
    });
  const memory = { __name__: "memory" };
  for (const [minutes, megabytes] of [
    [0, 100],
    [1, 5000],
    [2, 110],
  ] as const) {
    await send({ body: pushMessage([series(memory, heapOf(minutes, megabytes))]) });
  }
  const before = (await rows()).length;
  const body = pushMessage([
    series({}, cpu(10)),
    series(memory, heapOf(3, 5010), heapOf(4, 120)),
    series({}, cpu(20)),
  ]);
  const reply = await send({ body });
  expect(reply.statusCode).toBe(400);
  expect(reply.json().message).toMatch(/^Series 1, sample \d: Two processes send as one series/);
  expect(reply.json().message).toMatch(/The other profiles of the request were stored\.$/);
  const stored = await rows();
  expect(stored.filter(({ type }) => type === "cpu").map(({ totals }) => totals[0])).toEqual(
    expect.arrayContaining([10n, 20n]),
  );
  expect(stored.length).toBe(before + 3);
});

const read = (series: unknown) => readSeriesJson(Buffer.from(JSON.stringify({ series })), 5, pushRequest);

test.each([
  ["junk", "!!!!"],
  ["junk in the middle", "AAAA!AAA"],
  ["a line break", "AAAA\nAAAA"],
  ["a cut group", "AAAAA"],
  ["padding in the middle", "AA==AAAA"],
  ["too little padding", "AA="],
  ["nothing but padding", "===="],
  ["both alphabets", "A+_A"],
  ["junk before the padding", "A!=="],
])("refuses base64 with %s, and names series and sample", (_, text) => {
  for (const sample of [{ rawProfile: text }, { raw_profile: text }]) {
    const outcome = read([{ samples: [] }, { samples: [{ rawProfile: "" }, sample] }]);
    if (outcome.ok) throw new Error("was accepted");
    expect(outcome.refusal.code).toBe("invalid");
    expect(outcome.refusal.message).toMatch(/series\.1\.samples\.1\.raw_?[pP]rofile: invalid base64/);
  }
});

test("takes as many profiles as it may have, each with as many labels", () => {
  const labels = Array.from({ length: 100 }, (_, i) => ({ name: `l${i}`, value: "v" }));
  const outcome = read(Array(5).fill({ labels, samples: [{ rawProfile: "AA==" }] }));
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  expect(outcome.value.map((series) => series.labels.length)).toEqual(Array(5).fill(100));
});

test.each(["base64", "base64url"] as const)("takes %s with padding and without", (alphabet) => {
  for (const length of [1, 2, 3, 1000, 3_000_000]) {
    const bytes = Buffer.alloc(length, Buffer.of(0xfb, 0xff, 0xfe, 0x00, 0x13));
    const bare = bytes.toString(alphabet).replaceAll("=", "");
    for (const rawProfile of [bare, bare.padEnd(Math.ceil(bare.length / 4) * 4, "=")]) {
      const outcome = read([{ samples: [{ rawProfile }] }]);
      if (!outcome.ok) throw new Error(outcome.refusal.message);
      expect(bytes.equals(outcome.value[0]!.profiles[0]!)).toBe(true);
    }
  }
});
