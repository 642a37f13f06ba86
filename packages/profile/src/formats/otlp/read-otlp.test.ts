import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "#model/limits.ts";
import { readProfile } from "#read/read-profile.ts";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { readLabelledStacks } from "../../read-stacks.ts";
import { corpus } from "../../testing/corpus.ts";
import { otlpOf } from "../../testing/otlp-of.ts";
import { block, bytesOf, number, packed } from "../../testing/proto.ts";
import { sniff } from "../sniff.ts";

function read(bytes: Uint8Array, limits = defaultLimits) {
  const result = readProfile(bytes, limits);
  if (!result.ok) throw new Error(result.error.message);
  return result.profile;
}

function refusal(bytes: Uint8Array, limits = defaultLimits) {
  const result = readProfile(bytes, limits);
  if (result.ok) throw new Error("it was read");
  return result.error;
}

function labelsIn(bytes: Uint8Array): string[] {
  const result = readLabelledStacks(bytes);
  if (!result.ok || typeof result.profile.labels !== "object") throw new Error("no labels were read");
  return result.profile.labels.labels.map(({ key, value }) => `${key}=${value}`);
}

const folded = (bytes: Uint8Array, type = 0) =>
  foldStacks(sumStacks(read(bytes)), type)
    .trim()
    .split("\n")
    .sort();
const one = (samples: Parameters<typeof otlpOf>[0][0]["profiles"][0]["samples"], more = {}) =>
  otlpOf([{ profiles: [{ samples, ...more }] }]);

describe("an OTLP request", () => {
  it.each(["1.8", "1.9"] as const)("of %s has values, times that count 1 each, or both", (version) => {
    const bytes = otlpOf(
      [
        {
          profiles: [
            {
              type: "off_cpu/nanoseconds",
              samples: [
                { stack: "main;work", values: [5, 6], times: [1n, 2n], attributes: { "thread.name": "a" } },
                { stack: "main;work", values: [7], attributes: { "thread.name": "a" } },
                { stack: "main;idle", times: [1n, 2n, 3n], attributes: { "thread.name": "b" } },
              ],
            },
          ],
        },
      ],
      { version },
    );
    expect(sniff(bytes)).toBe("otlp");
    expect(folded(bytes)).toEqual(["main;idle 3", "main;work 18"]);
    expect(labelsIn(bytes)).toEqual(["thread.name=a", "thread.name=b"]);
  });

  it("of 1.8 is recognised where no sample has attributes", () => {
    const bytes = otlpOf([{ profiles: [{ samples: [{ stack: "main", values: [3] }] }] }], { version: "1.8" });
    expect(folded(bytes)).toEqual(["main 3"]);
  });

  it("begins with its dictionary, too", () => {
    const bytes = otlpOf([{ profiles: [{ samples: [{ stack: "main", values: [3] }] }] }], {
      hasDictionaryFirst: true,
    });
    expect([sniff(bytes), folded(bytes)]).toEqual(["otlp", ["main 3"]]);
  });

  it("has its period, its time, and a column for each sample type", () => {
    const profile = read(
      otlpOf([
        {
          profiles: [
            {
              period: ["cpu/nanoseconds", 50],
              timeNs: 1000n,
              durationNs: 500n,
              samples: [{ stack: "main", times: [1n] }],
            },
            {
              type: "events/nanoseconds",
              timeNs: 900n,
              durationNs: 100n,
              samples: [{ stack: "wait", values: [4] }],
            },
          ],
        },
      ]),
    );
    expect(profile).toMatchObject({
      sampleTypes: [
        { type: "samples", unit: "count" },
        { type: "off_cpu", unit: "nanoseconds" },
      ],
      periodType: { type: "cpu", unit: "nanoseconds" },
      period: 50n,
      timeNs: 900n,
      durationNs: 600n,
    });
    expect(profile.samples.values.map((column) => [...column])).toEqual([
      [1, 0],
      [0, 4],
    ]);
  });

  it("names native frames as pprof does, expands inlined ones, and shows what frames of the kernel belong to", () => {
    const bytes = one([
      { stack: "main@main.go:3;native|libc.so.6!0x1f;inner@a.c:2<outer@a.c:9;kernel|schedule", values: [2] },
      { stack: "schedule", values: [1] },
    ]);
    const profile = read(bytes);
    const { frames } = sumStacks(profile);
    expect(folded(bytes)).toEqual(["main;libc.so.6!0x1f;outer;inner;schedule 2", "schedule 1"]);
    const files = frames.functionName.map((name, at) => `${name} ${frames.file[at]} ${frames.line[at]}`);
    expect(files.sort()).toEqual([
      "inner a.c 2",
      "libc.so.6!0x1f libc.so.6 0",
      "main main.go 3",
      "outer a.c 9",
      "schedule  0",
      "schedule vmlinux 0",
    ]);
    const { mappings, strings } = profile;
    expect(Array.from(mappings.buildId, (at) => strings[at]).sort()).toEqual([
      "",
      "build-of-libc.so.6",
      "build-of-vmlinux",
    ]);
  });

  it("has as labels the type of the leaf, the process, the trace, and numbers as they are", () => {
    const bytes = otlpOf([
      {
        attributes: { "service.name": "shop", "process.pid": 77 },
        profiles: [
          {
            samples: [
              { stack: "go|main;kernel|schedule", values: [1], attributes: { "cpu.logical_number": 12 } },
              {
                stack: "go|main",
                values: [1],
                link: ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"],
              },
            ],
          },
        ],
      },
    ]);
    expect(labelsIn(bytes).sort()).toEqual([
      "cpu.logical_number=12",
      "process.pid=77",
      "profile.frame.type=go",
      "profile.frame.type=kernel",
      "span_id=b7ad6b7169203331",
      "trace_id=0af7651916cd43dd8448eb211c80319c",
    ]);
  });

  it("keeps values beyond 2^53", () => {
    const bytes = one([
      { stack: "main", values: [2n ** 62n, 1] },
      { stack: "b", values: [-(2n ** 60n) - 1n] },
    ]);
    expect(read(bytes).samples.values).toEqual([BigInt64Array.of(2n ** 62n + 1n, -(2n ** 60n) - 1n)]);
  });

  it("skips fields of later versions", () => {
    const later = [...number(90, 7), ...block(91, "later"), ...packed(92, 1, 2)];
    const bytes = one([{ stack: "main", values: [3] }]);
    const [profile, rest] = [Array.from(bytes), later];
    expect(folded(Uint8Array.from([...profile, ...rest]))).toEqual(["main 3"]);
  });

  it("has the limits of pprof, and cuts the leaves of a stack that is too deep", () => {
    const bytes = one([
      { stack: "a;b;c", values: [1], attributes: { x: "1", y: "2" } },
      { stack: "a;b;d", values: [2] },
    ]);
    const fields = ["samples", "frames", "locations", "functions", "strings", "labels"] as const;
    for (const field of fields) {
      expect(refusal(bytes, { ...defaultLimits, [field]: 1 })).toMatchObject({ code: "too_large", field });
    }
    const cut = read(bytes, { ...defaultLimits, depth: 2, labelsPerSample: 1 });
    expect(foldStacks(sumStacks(cut), 0).trim()).toBe("a;[truncated] 3");
    expect(cut.trimmed).toMatchObject({ depth: 2, labels: 1 });
  });

  it.each([
    ["a stack", block(2, [], number(1, 9), packed(4, 1)), "A sample names the stack 9, and there are 1."],
    [
      "an attribute",
      block(2, packed(2, 9), packed(4, 1)),
      "An attribute index is 9, the attribute table has 1 entries.",
    ],
    ["a link", block(2, number(3, 9), packed(4, 1)), "A link index is 9, the link table has 1 entries."],
    ["no value", block(2, number(1, 0)), "A sample has neither values nor timestamps."],
  ])("is refused for %s that is not there", (_, sample, message) => {
    const dictionary = block(2, ...[1, 2, 3, 4, 5, 6, 7].map((table) => block(table)), block(5, "samples"));
    const bytes = bytesOf(
      block(1, block(1), block(2, block(1), block(2, block(1, number(1, 1)), sample))),
      dictionary,
    );
    expect(refusal(bytes)).toMatchObject({ code: "invalid", message });
  });

  it.each([
    ["1.7", block(2, block(1, number(1, 1)), packed(3, 1, 2)), block(2, block(5))],
    ["1.6", block(2, block(1, number(1, 1)), block(2, number(1, 1))), []],
  ])("of %s is refused as too old", (_, profile, dictionary) => {
    const bytes = bytesOf(block(1, block(1), block(2, block(1), profile)), dictionary);
    expect(refusal(bytes)).toMatchObject({
      code: "not_pprof",
      message: expect.stringContaining("version 1.7 or older"),
    });
  });

  it("is read or refused whatever byte is broken", () => {
    const bytes = otlpOf([
      {
        attributes: { "service.name": "shop", "process.pid": 7 },
        profiles: [
          {
            samples: [
              {
                stack: "go|main@a.go:1;kernel|schedule",
                values: [3],
                times: [5n],
                attributes: { a: 1, b: "x" },
              },
            ],
          },
        ],
      },
    ]);
    let refused = 0;
    for (let at = 0; at < bytes.length; at++) {
      for (const byte of [0, 1, 0x0a, 0x12, 0x7f, 0x80, 0xff, bytes[at]! ^ 1]) {
        const mutant = Uint8Array.from(bytes);
        mutant[at] = byte;
        const result = readLabelledStacks(mutant);
        if (result.ok) continue;
        refused++;
        expect([result.error.message, result.error.field]).not.toContain("");
      }
      expect(readLabelledStacks(bytes.subarray(0, at)).ok).toBe(false);
    }
    expect(refused).toBeGreaterThan(1000);
  });
});

describe("an OTLP request as JSON", () => {
  const json = {
    resourceProfiles: [
      {
        resource: { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] },
        scopeProfiles: [
          {
            profiles: [
              {
                sampleType: { typeStrindex: 1, unitStrindex: 2 },
                timeUnixNano: "1763042723039590702",
                durationNano: 5e9,
                profileId: "0af7651916cd43dd8448eb211c80319c",
                samples: [
                  { stackIndex: 1, attributeIndices: [1], linkIndex: 1, values: ["9007199254740993", 2] },
                  { stackIndex: 1, timestampsUnixNano: ["1763042723039590702"] },
                ],
                laterField: { any: [1] },
              },
            ],
          },
        ],
      },
    ],
    dictionary: {
      stringTable: ["", "off_cpu", "nanoseconds", "main", "thread.name"],
      functionTable: [{}, { nameStrindex: 3 }],
      mappingTable: [{}],
      locationTable: [{}, { address: "18446744073709551615", lines: [{ functionIndex: 1, line: "7" }] }],
      linkTable: [{}, { traceId: "0AF7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" }],
      attributeTable: [
        {},
        { keyStrindex: 4, value: { arrayValue: { values: [{ boolValue: true }, { doubleValue: 0.5 }] } } },
      ],
      stackTable: [{}, { locationIndices: [1] }],
    },
  };
  const bytes = (value: object) => Buffer.from(JSON.stringify(value));

  it("is read as the same request in protobuf", () => {
    const profile = read(bytes(json));
    expect(profile).toMatchObject({ timeNs: 1763042723039590702n, durationNs: 5_000_000_000n });
    expect(profile.samples.values).toEqual([BigInt64Array.of(9007199254740995n, 1n)]);
    expect([...profile.locations.address, ...profile.locations.line]).toEqual([0n, 2n ** 64n - 1n, 7]);
    expect(folded(bytes(json))).toEqual(["main 9007199254740996"]);
    const { strings, labels } = profile;
    const named = Array.from(labels.key, (key, at) => `${strings[key]}=${strings[labels.text[at]!]}`);
    expect(named).toEqual([
      "thread.name=[true,0.5]",
      "trace_id=0af7651916cd43dd8448eb211c80319c",
      "span_id=b7ad6b7169203331",
    ]);
  });

  it("may begin with its dictionary, and have names as in the schema", () => {
    const { dictionary, resourceProfiles } = json;
    expect(sniff(bytes({ dictionary, resourceProfiles }))).toBe("otlp_json");
    const text = JSON.stringify({ dictionary, resourceProfiles });
    const snake = text.replace(
      /"([a-z]+[A-Z]\w+)":/g,
      (_, name: string) => `"${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`,
    );
    expect(snake).toContain("resource_profiles");
    expect(folded(Buffer.from(snake))).toEqual(["main 9007199254740996"]);
  });

  it.each([
    ["text that is cut off", '{"resourceProfiles":[', /^The request is no JSON \(/],
    ["a list in place of a message", '{"dictionary":[]}', /^dictionary of the OTLP request is no object\.$/],
    [
      "an object where a list is",
      '{"resourceProfiles":{}}',
      /^resource_profiles of the OTLP request is no list/,
    ],
    [
      "a fraction",
      '{"dictionary":{"stackTable":[{"locationIndices":[1.5]}]}}',
      /locationIndices|location_indices .* no whole number/,
    ],
    ["a number as text", '{"dictionary":{"stringTable":[1]}}', /string_table of the OTLP request is no text/],
    ["broken hex", '{"dictionary":{"linkTable":[{"traceId":"xy"}]}}', /trace_id .* no hex/],
    [
      "two million lists",
      `{"dictionary":{"stackTable":[${"[],".repeat(1_100_000)}[]]}}`,
      /Send it as protobuf/,
    ],
  ])("is refused for %s", (_, text, message) => {
    expect(refusal(Buffer.from(text)).message).toMatch(message);
  });
});

describe("a request that costs more than it weighs is refused", () => {
  const name = block(5, "samples");
  const request = (samples: number[], ...tables: number[][]) =>
    bytesOf(
      block(1, block(1), block(2, block(1), [...block(2, block(1, number(1, 1)), samples)])),
      block(2, block(1), block(2), block(3), block(4), block(5), name, ...tables),
    );

  it("for a million samples of one deep stack", () => {
    const stack = packed(1, ...new Array<number>(8000).fill(0));
    const sample = block(2, number(1, 1), packed(4, 1));
    const samples = new Array<number[]>(100_000).fill(sample).flat();
    expect(refusal(request(samples, block(7), block(7, stack)))).toMatchObject({
      code: "too_large",
      field: "frames",
    });
  });

  it("for a million profiles, resources or nested values", () => {
    const empty = new Array<number[]>(20_000).fill(block(2, [])).flat();
    expect(refusal(bytesOf(block(1, block(1), block(2, block(1), empty)), block(2, block(5))))).toMatchObject(
      {
        field: "profiles",
      },
    );
    let value = block(1, "x");
    for (let depth = 0; depth < 40; depth++) value = block(5, block(1, value));
    const nested = block(6, number(1, 1), block(2, value));
    expect(refusal(request(block(2, packed(2, 1), packed(4, 1)), block(7), block(6), nested))).toMatchObject({
      message: "The value of an attribute is nested too deeply.",
    });
  });
});

/** Totals and stacks as opentelemetry-proto 1.40 and 1.45 for Python decode them: the hash is of the sorted folded stacks. */
const truth: readonly (readonly [
  file: string,
  message: number,
  type: string,
  total: bigint,
  stacks: number,
  hash: string,
])[] = [
  ["~4da2e12.pb.bin", 0, "samples/count", 10n, 10, "5c44b09cb0031166"],
  ["~4da2e12.pb.bin", 0, "off_cpu/nanoseconds", 392526714728n, 106, "efa7200432dd15b0"],
  ["~8dea15e.pb.bin", 0, "samples/count", 10n, 10, "5c44b09cb0031166"],
  ["~8dea15e.pb.bin", 0, "off_cpu/nanoseconds", 392526714728n, 106, "efa7200432dd15b0"],
  ["~b9b009b.pb.bin", 0, "samples/count", 10n, 7, "2a818be48253e3e5"],
  ["~b9b009b.pb.bin", 0, "off_cpu/nanoseconds", 267302249331n, 91, "6f99c5f38b910e05"],
  ["k8s.otlp", 0, "samples/count", 58n, 52, "8dd45f878101a644"],
  ["k8s.otlp", 1, "samples/count", 107n, 93, "91c738fcf8d3638f"],
];

describe.skipIf(!existsSync(corpus))("requests of the eBPF profiler collected outside the repository", () => {
  it.each(truth)("%s, message %i: %s", (...expected) => {
    const [suffix, message, type, total, stacks, hash] = expected;
    const folder = new URL("open/", corpus);
    const file = readdirSync(folder).find((name) => name.endsWith(suffix))!;
    const table = sumStacks(
      read(messagesIn(readFileSync(new URL(encodeURIComponent(file), folder)))[message]!),
    );
    const column = table.values[table.sampleTypes.findIndex((each) => `${each.type}/${each.unit}` === type)]!;
    const sums = new Map<string, bigint>();
    for (let i = 0; i < table.length; i++) {
      if (Number(column[i]) === 0) continue;
      const frames = table.frame.subarray(table.start[i], table.start[i + 1]);
      const text = Array.from(frames, (frame) => table.frames.functionName[frame])
        .reverse()
        .join(";");
      sums.set(text, (sums.get(text) ?? 0n) + BigInt(column[i]!));
    }
    const lines = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([text, value]) => `${text} ${value}`);
    expect([...sums.values()].reduce((sum, value) => sum + value)).toBe(total);
    expect([sums.size, createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 16)]).toEqual([
      stacks,
      hash,
    ]);
  });
});

/** The collector's file exporter writes each message after its length. */
function messagesIn(bytes: Buffer): Buffer[] {
  if (bytes[0] !== 0) return [bytes];
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt32BE(at)) {
    found.push(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at)));
  }
  return found;
}
