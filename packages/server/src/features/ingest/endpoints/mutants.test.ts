import { readFileSync } from "node:fs";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { writeProfile } from "@flamekeep/profile";
import { cpuWords, firefoxExample, otlpOf, profileOf, speedscopeExample } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { describe, expect, it } from "vitest";
import { outcomeOf, type SentRequest } from "#ingest/testing/outcome-of.ts";

const MiB = 1024 * 1024;
const fixtures = new URL("../../../../../profile/src/fixtures/", import.meta.url);
const fixture = (name: string) => readFileSync(new URL(name, fixtures));
const boundary = "b0undary";

interface Original extends SentRequest {
  readonly what: string;
  readonly body: Buffer;
}

const part = (name: string, body: Uint8Array | string) =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n`,
    ),
    Buffer.from(body),
    Buffer.from("\r\n"),
  ]);
const event = {
  start: "2026-11-20T17:58:00Z",
  end: "2026-11-20T17:59:00Z",
  tags_profiler: "service:shop,env:prod",
};
const cpu = writeProfile(profileOf("main main\nserve gc\nread\n30   12"));
const recording = gunzipSync(fixture("jfr/itimer.jfr.gz"));
const otlp = otlpOf([
  {
    attributes: { "service.name": "shop", "process.pid": 7 },
    profiles: [
      {
        timeNs: 1_795_197_600_000_000_000n,
        durationNs: 10_000_000_000n,
        period: ["cpu/nanoseconds", 1e7],
        samples: [
          { stack: "main@main.go:3;work@work.go:9", values: [3], attributes: { "thread.name": "a" } },
          { stack: "libc.so!0x1f;kernel|schedule", values: [4], times: [1n, 2n] },
        ],
      },
    ],
  },
]);
const otlpJson = JSON.stringify({
  resourceProfiles: [
    {
      resource: { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] },
      scopeProfiles: [
        {
          profiles: [
            {
              sampleType: { typeStrindex: 1, unitStrindex: 2 },
              samples: [{ stackIndex: 1, values: ["5"], attributeIndices: [1] }],
              timeUnixNano: "1795197600000000000",
            },
          ],
        },
      ],
    },
  ],
  dictionary: {
    stringTable: ["", "samples", "count", "main", "thread.name"],
    functionTable: [{}, { nameStrindex: 3 }],
    locationTable: [{}, { lines: [{ functionIndex: 1, line: "7" }] }],
    stackTable: [{}, { locationIndices: [1] }],
    attributeTable: [{}, { keyStrindex: 4, value: { stringValue: "a" } }],
    mappingTable: [{}],
    linkTable: [{}],
  },
});

const otlpLength = Buffer.alloc(4);
otlpLength.writeUInt32BE(otlp.length);
const framedOtlp = Buffer.concat([otlpLength, otlp, otlpLength, otlp]);
const memoryMap = Buffer.from(
  "MAPPED_LIBRARIES:\n00001000-00008000 r-xp 00000000 08:01 1234       /srv/shop\n",
);
const legacyText = Buffer.from(
  "heap profile: 3: 30 [9: 90] @ heap_v2/524288\n2: 20 [8: 80] @ 0x1011 0x1021\n1: 10 [1: 10] @ 0x9\n",
);
const legacyCpu = cpuWords({
  size: 8,
  isLittle: true,
  samples: [
    [3, 0x1010, 0x1021, 0x7011],
    [2, 0x1010, 0x6800],
  ],
});

const stackprof = {
  mode: "cpu",
  interval: 1000,
  samples: 5,
  frames: { 7: { name: "main", file: "app.rb", line: 1 }, 8: { name: "pay", file: "shop.rb", line: 3 } },
  raw: [2, 7, 8, 3, 1, 7, 2],
};

const originals: readonly Original[] = [
  { what: "a recording of Java", format: "profile", body: recording },
  { what: "a recording in LZ4", format: "profile", body: fixture("jfr/wall.jfr.lz4") },
  { what: "an OTLP request", format: "otlp", body: Buffer.from(otlp), contentType: "application/x-protobuf" },
  {
    what: "an OTLP request in JSON",
    format: "otlp",
    body: Buffer.from(otlpJson),
    contentType: "application/json",
  },
  {
    what: "the form of Datadog's libraries",
    format: "datadog",
    body: Buffer.concat([
      part("cpu.pprof", gzipSync(cpu)),
      part("main.jfr", recording),
      part("auto.pprof", cpu),
      part("event.json", JSON.stringify(event)),
      Buffer.from(`--${boundary}--\r\n`),
    ]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  },
  { what: "pprof", format: "profile", body: gunzipSync(fixture("cpu.pb.gz")) },
  { what: "collapsed stacks", format: "profile", body: fixture("cpu.cpu.folded") },
  { what: "a CPU profile of V8", format: "profile", body: gunzipSync(fixture("json/work.cpuprofile.gz")) },
  { what: "a heap profile of V8", format: "profile", body: gunzipSync(fixture("json/work.heapprofile.gz")) },
  { what: "a trace of Chromium", format: "profile", body: gunzipSync(fixture("json/page.trace.json.gz")) },
  { what: "a speedscope file", format: "profile", body: Buffer.from(JSON.stringify(speedscopeExample)) },
  { what: "a Firefox profile", format: "profile", body: Buffer.from(JSON.stringify(firefoxExample)) },
  { what: "a text profile of Go", format: "profile", body: fixture("formats/go_text.heap.txt") },
  { what: "a file of OTLP requests", format: "profile", body: framedOtlp },
  { what: "a goroutine dump", format: "profile", body: fixture("dumps/goroutines.go1.27.txt") },
  {
    what: "perf script",
    format: "profile",
    body: gunzipSync(fixture("dumps/perf.txt.gz")).subarray(0, 8000),
  },
  { what: "stackprof", format: "profile", body: Buffer.from(JSON.stringify(stackprof)) },
  {
    what: "stacks of DTrace",
    format: "profile",
    body: Buffer.from("a`read+0x7\n  b`main+0x1f\n   14\n\n  b`main\n 3\n"),
  },
  {
    what: "a call tree of Instruments",
    format: "profile",
    body: Buffer.from(
      "Weight\tSelf Weight\t\tSymbol Name\n4.0 s  100.0%\t0 s\t \tstart\n3.0 s  75.0%\t1 s\t \t main\n",
    ),
  },
  { what: "cProfile", format: "profile", body: fixture("dumps/cprofile.py3.11.prof") },
  { what: "a legacy CPU profile", format: "profile", body: Buffer.concat([legacyCpu, memoryMap]) },
  { what: "a legacy text profile", format: "profile", body: Buffer.concat([legacyText, memoryMap]) },
  { what: "a heap profile of jemalloc", format: "profile", body: fixture("formats/jemalloc.heap") },
];

/** The refusal of an upload, undefined if it is accepted. */
function refusalOf(original: Original, body: Uint8Array) {
  const outcome = outcomeOf({ ...original, body });
  return outcome.ok ? undefined : outcome.refusal;
}

/** The same numbers in each run. */
function randomNumbers(): (below: number) => number {
  let seed = 11;
  return (below) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

/** Bytes that are overwritten, cut off, repeated, or turned into a number without an end. */
function mutantOf(original: Buffer, random: (below: number) => number): Buffer {
  const bytes = Buffer.from(original);
  const at = random(bytes.length);
  const kind = random(8);
  if (kind === 0) return bytes.subarray(0, at);
  if (kind === 1) return bytes.fill(0xff, at, Math.min(bytes.length, at + 1 + random(12)));
  if (kind === 2) return bytes.fill(0, at, Math.min(bytes.length, at + 1 + random(64)));
  if (kind === 3) {
    const repeated = bytes.subarray(at, at + 1 + random(200));
    return Buffer.concat([bytes.subarray(0, at), repeated, bytes.subarray(at)]);
  }
  for (let faults = 1 + random(8); faults > 0; faults--) bytes[random(bytes.length)] = random(256);
  return bytes;
}

describe.each(originals)("$what", (original) => {
  it("is accepted as it is", () => {
    expect(refusalOf(original, original.body)).toBeUndefined();
  });

  const rounds = isFullLength ? 20_000 : 150;
  it(`is accepted or refused with a sentence in ${rounds} damaged forms`, {
    timeout: 3_600_000,
  }, async () => {
    const random = randomNumbers();
    let [refused, slowestMs] = [0, 0];
    const before = process.memoryUsage().rss;
    for (let round = 0; round < rounds; round++) {
      // As between requests: zlib frees what it used once the event loop turns.
      if (round % 100 === 0) await setImmediate();
      const startedAt = performance.now();
      const refusal = refusalOf(original, mutantOf(original.body, random));
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      if (refusal === undefined) continue;
      refused++;
      expect(refusal.message).toMatch(/^\S.{20,}[.]$/s);
      expect(["invalid", "too_large", "unsupported", "unprocessable"]).toContain(refusal.code);
    }
    const grownMiB = (process.memoryUsage().rss - before) / MiB;
    console.info(
      `${original.what}: ${rounds} damaged forms, ${refused} refused, slowest ${slowestMs.toFixed(0)} ms, memory grew by ${grownMiB.toFixed(0)} MiB`,
    );
    expect(refused).toBeGreaterThan(0);
    if (isFullLength) expect(grownMiB).toBeLessThan(200);
  });
});
