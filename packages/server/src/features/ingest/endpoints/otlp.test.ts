import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { downloadProfile, readApiKeyUsage, toPath } from "@flamekeep/contract";
import { readProfile } from "@flamekeep/profile";
import { otlpOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SentDefinitions } from "#ingest/rows/definitions.ts";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedFolded, storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { otlpEndpoint } from "./otlp.ts";

const path = "/v1development/profiles";
const at = "2026-11-20T18:00:00.000Z";
const timeNs = BigInt(Date.parse(at)) * 1_000_000n - 60_000_000_000n;

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at, env: { INGEST_MAX_PROFILES: "5", INGEST_MAX_BYTES: "200000" } });
});
afterAll(() => server.close());

interface Sent {
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
}

async function sender(app = server) {
  const person = await app.signUp();
  const { headers, key, id } = await app.makeKey(person);
  const send = ({ body, headers: more = {}, url = path }: Sent) =>
    app.app.inject({
      method: "POST",
      url,
      payload: Buffer.from(body),
      headers: { ...headers, "content-type": "application/x-protobuf", ...more },
    });
  const rows = () => storedProfiles(app.ctx.columns, person.orgId);
  const original = async (profileId: string) =>
    app.app.inject({ url: toPath(downloadProfile, { id: profileId }), headers: person.headers });
  const usage = async () => {
    await app.ctx.keyUsage.flush();
    return (await app.app.inject({ url: toPath(readApiKeyUsage, { id }), headers: person.headers })).json()
      .usage;
  };
  return { orgId: person.orgId, key, send, rows, original, usage };
}

type Resource = Parameters<typeof otlpOf>[0][0];
const cpuOf = (samples: Resource["profiles"][0]["samples"]) => ({
  period: ["cpu/nanoseconds", 50_000_000] as const,
  timeNs,
  durationNs: 5_000_000_000n,
  samples,
});
const checkout: Resource = {
  attributes: {
    "service.name": "checkout",
    "k8s.pod.name": "checkout-1",
    "container.id": "",
    "process.pid": 7,
  },
  scope: { build: "b1" },
  profiles: [
    cpuOf([
      { stack: "go|main;go|work", times: [timeNs, timeNs + 1n], attributes: { "thread.name": "a" } },
      { stack: "go|main;kernel|schedule", times: [timeNs], attributes: { "thread.name": "b" } },
    ]),
    {
      type: "off_cpu/nanoseconds",
      timeNs,
      samples: [{ stack: "main;wait", values: [70, 5], times: [1n, 2n] }],
    },
  ],
};
/** As the eBPF profiler sends the processes of a host. */
const host: Resource = {
  attributes: { "host.name": "n1" },
  profiles: [
    cpuOf([
      {
        stack: "native|libc.so.6!0x1f",
        times: [1n],
        attributes: { "process.executable.name": "Web Content" },
      },
      { stack: "go|main", times: [1n, 2n], attributes: { "process.executable.name": "grafana" } },
      { stack: "kernel|idle", times: [1n] },
    ]),
  ],
};
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

/** The number in field 1 and the text in field 2 of a message, read apart from the code that wrote it. */
function fieldsOf(bytes: Buffer): { number: number; text: string } {
  let pos = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[pos++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  let number = 0;
  let text = "";
  while (pos < bytes.length) {
    const tag = varint();
    const value = varint();
    if (tag === 0x08) number = value;
    else {
      expect(tag).toBe(0x12);
      text = bytes.subarray(pos, pos + value).toString();
      pos += value;
    }
  }
  return { number, text };
}

describe("OTLP profiles", () => {
  test("are stored by service and type, with tags and labels, and answered with an empty message", async () => {
    const { orgId, send, rows, usage } = await sender();
    const reply = await send({ body: otlpOf([checkout]) });
    expect([reply.statusCode, reply.body, reply.headers["content-type"]]).toEqual([
      200,
      "",
      "application/x-protobuf",
    ]);
    const stored = await rows();
    expect(stored.map(({ type, sample_types, totals }) => [type, sample_types, totals])).toEqual([
      ["cpu", ["samples/count", "cpu/nanoseconds"], [3n, 150_000_000n]],
      ["custom", ["off_cpu/nanoseconds"], [75n]],
    ]);
    for (const row of stored) {
      expect(row).toMatchObject({
        service: "checkout",
        sender: "otlp",
        tags: { "k8s.pod.name": "checkout-1", build: "b1" },
        started_at: "2026-11-20 17:59:00.000",
        trimmed: {},
      });
    }
    expect(await storedFolded(server.ctx.columns, orgId, "samples/count")).toEqual([
      "main;schedule 1",
      "main;work 2",
    ]);
    expect(await usage()).toMatchObject({ profiles: 2, refused: 0 });
  });

  test.each([
    ["gzip", gzipSync],
    ["zstd", zstdCompressSync],
  ])("may be compressed with %s, and are stored once", async (encoding, compress) => {
    const { send, rows } = await sender();
    for (const url of [path, "/v1/profiles", "//v1development/profiles/"]) {
      const reply = await send({
        body: compress(otlpOf([checkout])),
        headers: { "content-encoding": encoding },
        url,
      });
      expect(reply.statusCode).toBe(200);
    }
    expect((await rows()).length).toBe(2);
  });

  test("are taken as JSON, and answered as JSON", async () => {
    const { orgId, send, rows, original } = await sender();
    const body = json({
      resourceProfiles: [
        {
          resource: { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] },
          scopeProfiles: [
            {
              profiles: [
                {
                  sampleType: { typeStrindex: 1, unitStrindex: 2 },
                  timeUnixNano: String(timeNs),
                  samples: [{ stackIndex: 1, values: ["7", 3] }],
                },
              ],
            },
          ],
        },
      ],
      dictionary: {
        stringTable: ["", "off_cpu", "nanoseconds", "main"],
        functionTable: [{}, { nameStrindex: 3 }],
        locationTable: [{}, { lines: [{ functionIndex: 1 }] }],
        stackTable: [{}, { locationIndices: [1] }],
      },
    });
    const reply = await send({
      body: gzipSync(body),
      headers: { "content-type": "application/json; charset=utf-8" },
    });
    expect([reply.statusCode, reply.json()]).toEqual([200, {}]);
    const [row] = await rows();
    expect(row).toMatchObject({ service: "shop", totals: [10n] });
    expect(await storedFolded(server.ctx.columns, orgId, "off_cpu/nanoseconds")).toEqual(["main 10"]);
    const file = await original(row!.profile_id);
    expect(gunzipSync(file.rawPayload).equals(body)).toBe(true);
    expect(file.headers["content-disposition"]).toMatch(/\.json\.gz"$/);
  });

  test("of a host are stored by program, and what names none with a remark", async () => {
    const { send, rows } = await sender();
    const reply = await send({ body: otlpOf([host]) });
    expect(reply.statusCode).toBe(200);
    expect((await rows()).map(({ service, totals, tags }) => [service, totals[0], tags])).toEqual(
      expect.arrayContaining([
        ["Web_Content", 1n, { "host.name": "n1" }],
        ["grafana", 2n, { "host.name": "n1" }],
        ["unknown_service", 1n, { "host.name": "n1" }],
      ]),
    );
    const [tag, ...rest] = reply.rawPayload;
    expect(tag).toBe(0x0a);
    const { number, text } = fieldsOf(Buffer.from(rest).subarray(rest[0]! < 0x80 ? 1 : 2));
    expect([number, text]).toEqual([0, expect.stringContaining("Set service.name")]);
  });

  test("are kept as they were sent, or the part that is theirs, and read again from it", async () => {
    const { send, rows, original } = await sender();
    const alone = { ...checkout, profiles: checkout.profiles.slice(0, 1) };
    const body = gzipSync(otlpOf([alone]));
    await send({ body, headers: { "content-encoding": "gzip" } });
    const [row] = await rows();
    const file = await original(row!.profile_id);
    expect(file.rawPayload.equals(body)).toBe(true);
    expect(file.headers["content-disposition"]).toMatch(/^attachment; filename="cpu-\w+\.otlp\.gz"$/);

    const other = await sender();
    await other.send({ body: otlpOf([checkout, host]) });
    const parts = await other.rows();
    expect(parts.length).toBe(5);
    for (const { profile_id, totals, service } of parts) {
      const part = await other.original(profile_id);
      const read = readProfile(zstdDecompressSync(part.rawPayload));
      if (!read.ok) throw new Error(read.error.message);
      const sum = Array.from(read.profile.samples.values[0]!, Number).reduce((total, value) => total + value);
      expect([service, sum]).toEqual([service, Number(totals[0])]);
      const others = ["checkout", "grafana", "Web Content"].filter(
        (name) => name.replace(" ", "_") !== service,
      );
      for (const name of others) expect(zstdDecompressSync(part.rawPayload).includes(name)).toBe(false);
    }
  });

  test("that were made from pprof are stored as that pprof", async () => {
    const { send, rows, original } = await sender();
    const pprof = gzipSync(
      pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [["main;exact", 12]], timeNs }),
    );
    const profiles = [{ ...cpuOf([{ stack: "main", times: [1n] }]), original: ["pprof", pprof] as const }];
    const reply = await send({ body: otlpOf([{ ...checkout, profiles }]) });
    expect(reply.statusCode).toBe(200);
    const [row] = await rows();
    expect(row).toMatchObject({ service: "checkout", totals: [12n], tags: { "k8s.pod.name": "checkout-1" } });
    expect((await original(row!.profile_id)).rawPayload.equals(pprof)).toBe(true);
  });

  test("that cannot be stored are counted and named, and the others are stored", async () => {
    const { send, rows } = await sender();
    const old = { ...cpuOf([{ stack: "main", times: [1n] }]), timeNs: 1_000_000_000_000_000_000n };
    const body = otlpOf([checkout, { attributes: { "service.name": "old" }, profiles: [old] }]);
    const reply = await send({ body });
    expect(reply.statusCode).toBe(200);
    const partial = reply.rawPayload.subarray(reply.rawPayload[1]! < 0x80 ? 2 : 3);
    expect(fieldsOf(partial)).toEqual({
      number: 1,
      text: expect.stringMatching(/^The profile is from 2001-09-09.*days are kept/),
    });
    expect((await rows()).map(({ service }) => service)).toEqual(["checkout", "checkout"]);

    const alone = await send({ body: otlpOf([{ attributes: { "service.name": "old" }, profiles: [old] }]) });
    expect([alone.statusCode, fieldsOf(alone.rawPayload)]).toEqual([
      400,
      { number: 3, text: expect.stringContaining("2001") },
    ]);
  });

  test("of many services that share a deep stack are stored up to a bound, and the rest are rejected", async () => {
    const scope = {
      orgId: "",
      nowMs: Date.parse(at),
      retentionDays: 14,
      inflatedBytesMax: 2 ** 26,
      samplesMax: 1e6,
      profilesMax: 1000,
      labelValuesMax: 100,
      labelSeriesValuesMax: 100,
    };
    const stack = Array.from({ length: 20_000 }, () => "main").join(";");
    const encoded = (services: number, startNs = timeNs) => {
      const resources = Array.from({ length: services }, (_, at) => ({
        attributes: { "service.name": `s${at}` },
        profiles: [{ ...cpuOf([{ stack, times: [1n] }]), timeNs: startNs }],
      }));
      const body = otlpOf([...resources, checkout]);
      const outcome = otlpEndpoint.encode({ query: {}, contentType: "", body, scope }, new SentDefinitions());
      if (!outcome.ok) throw new Error(outcome.refusal.message);
      return { stored: outcome.value.length, rejected: outcome.rejected };
    };
    // The last service has two profiles, which are short.
    expect(encoded(10)).toEqual({ stored: 12, rejected: undefined });
    const { stored, rejected } = encoded(450);
    expect(stored).toBeGreaterThan(200);
    expect(rejected).toEqual({ count: 452 - stored, message: expect.stringContaining("so many services") });
    // Parts that are rejected for another reason count: they cost the same.
    const old = encoded(450, 1_000_000_000_000_000_000n);
    expect(old.rejected!.count).toBe(450);
    expect(old.stored).toBe(2);
  });

  test("may be empty", async () => {
    const { send, rows } = await sender();
    for (const body of [new Uint8Array(), otlpOf([{ profiles: [cpuOf([])] }])]) {
      expect((await send({ body })).statusCode).toBe(200);
    }
    expect(await rows()).toEqual([]);
  });

  test("are sent to this address with this header by the configuration of the guide", async () => {
    const page = readFileSync(
      new URL("../../../../../../docs/guide/send-opentelemetry.md", import.meta.url),
      "utf8",
    );
    const [, exporter = ""] = /exporters:\n {2}otlp_http:\n([\s\S]*?)\nservice:/.exec(page) ?? [];
    const [, address = ""] = /endpoint: http:\/\/localhost:4040(\S*)/.exec(exporter) ?? [];
    const [, header = ""] = /(\S+): \$\{env:FLAMEKEEP_KEY\}/.exec(exporter) ?? [];
    const { key, send } = await sender();
    const sent = { body: otlpOf([checkout]), url: `${address}/v1development/profiles` };
    expect(
      (await send({ ...sent, headers: { "x-api-key": "", [header.toLowerCase()]: key } })).statusCode,
    ).toBe(200);
  });

  test("come with the key as exporters send it", async () => {
    const { key, send, rows } = await sender();
    const ways = [
      { authorization: `Basic ${Buffer.from(`any:${key}`).toString("base64")}` },
      { authorization: `Bearer ${key}` },
    ];
    for (const [index, way] of ways.entries()) {
      const profiles = [cpuOf([{ stack: "main", values: [index + 1] }])];
      const reply = await send({
        body: otlpOf([{ ...checkout, profiles }]),
        headers: { "x-api-key": "", ...way },
      });
      expect(reply.statusCode).toBe(200);
    }
    expect((await rows()).length).toBe(2);
  });
});

describe("refusals of OTLP are google.rpc.Status in the encoding of the request", () => {
  const good = () => otlpOf([checkout]);
  const asJson = { "content-type": "application/json" };

  test.each<[string, Sent, number, number, RegExp]>([
    ["a cut message", { body: good().subarray(0, 40) }, 400, 3, /claims \d+ bytes where/],
    [
      "a pprof",
      { body: pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [["main", 1]] }) },
      400,
      3,
      /pprof profile and no OTLP request/,
    ],
    [
      "an old version",
      { body: Buffer.from([0x0a, 6, 0x12, 4, 0x12, 2, 0x1a, 0, 0x12, 0]) },
      400,
      3,
      /1\.7 or older/,
    ],
    [
      "too many profiles",
      {
        body: otlpOf(
          Array.from({ length: 6 }, (_, i) => ({ ...checkout, attributes: { "service.name": `s${i}` } })),
        ),
      },
      413,
      3,
      /more than 5 profiles/,
    ],
    ["a large body", { body: Buffer.alloc(300_000) }, 413, 3, /INGEST_MAX_BYTES/],
    ["damaged gzip", { body: gzipSync(good()).subarray(0, 30) }, 400, 3, /gzip/],
    [
      "another compression",
      { body: good(), headers: { "content-encoding": "br" } },
      415,
      12,
      /Content-Encoding/,
    ],
    ["a wrong key", { body: good(), headers: { "x-api-key": "fk_wrong" } }, 401, 16, /key/],
    ["other bytes", { body: Buffer.from([0x1b, 1]) }, 400, 3, /^This is not OTLP, or it is damaged: /],
    [
      "JSON that is no object",
      { body: Buffer.from("[]"), headers: asJson },
      400,
      3,
      /^The request is no JSON object\. /,
    ],
    ["JSON that is none", { body: Buffer.from("{"), headers: asJson }, 400, 3, /no JSON/],
    ["JSON of another form", { body: json({ resourceProfiles: 1 }), headers: asJson }, 400, 3, /no list/],
  ])("%s", async (_, sent, status, code, message) => {
    const { send, rows, usage } = await sender();
    const reply = await send(sent);
    expect(reply.statusCode).toBe(status);
    const isJson = sent.headers?.["content-type"] === "application/json";
    expect(reply.headers["content-type"]).toBe(isJson ? "application/json" : "application/x-protobuf");
    if (isJson) expect(reply.json()).toEqual({ code, message: expect.stringMatching(message), details: [] });
    else expect(fieldsOf(reply.rawPayload)).toEqual({ number: code, text: expect.stringMatching(message) });
    expect(await rows()).toEqual([]);
    if (status !== 401) expect(await usage()).toMatchObject({ refused: 1 });
  });

  test("also for other contents, with what to send", async () => {
    const { send } = await sender();
    const reply = await send({ body: good(), headers: { "content-type": "application/octet-stream" } });
    expect(reply.statusCode).toBe(415);
    expect(reply.json()).toMatchObject({
      code: 12,
      message: expect.stringContaining("application/x-protobuf"),
    });
  });

  test("and say when to send again", async () => {
    const limited = await startApp({ at, env: { INGEST_PER_MINUTE: "1" } });
    const { send } = await sender(limited);
    await send({ body: good() });
    const reply = await send({ body: good() });
    expect([reply.statusCode, Number(reply.headers["retry-after"]) > 0]).toEqual([429, true]);
    expect(fieldsOf(reply.rawPayload).number).toBe(8);
    await limited.close();
  });
});
