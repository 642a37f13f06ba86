import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultLimits, nothingTrimmed, type ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import type { ProfileError } from "#model/profile-error.ts";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { totalOf } from "#stacks/total-of.ts";
import { writeProfile } from "#write/write-profile.ts";
import { profileOf } from "../testing/index.ts";
import { block, bytesOf, number, packed } from "../testing/proto.ts";
import { readProfile } from "./read-profile.ts";

// A profile in parts: samples/count, functions main (1), handle (2), encode (3), one location for each.
const texts = ["", "samples", "count", "main", "handle", "encode", "main.go", "label", "value", "bytes"];
const strings = texts.map((text) => block(6, text));
const sampleType = block(1, number(1, 1), number(2, 2));
const functions = [1, 2, 3].map((id) => block(5, number(1, id), number(2, id + 2), number(4, 6)));
const locations = [1, 2, 3].map((id) => block(4, number(1, id), block(4, number(1, id), number(2, id * 10))));
const head = [sampleType, ...functions, ...locations, ...strings];

function read(...parts: number[][]): Profile {
  const result = readProfile(bytesOf(...parts));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.profile;
}

function refusal(...parts: number[][]): ProfileError {
  return refusalOf(bytesOf(...parts));
}

function refusalOf(bytes: Uint8Array, limits: Partial<ReadLimits> = {}): ProfileError {
  const result = readProfile(bytes, { ...defaultLimits, ...limits });
  if (result.ok) throw new Error("was read");
  return result.error;
}

function folded(profile: Profile): string {
  return foldStacks(sumStacks(profile), 0);
}

describe("reading samples", () => {
  it("takes packed lists, unpacked lists and both in one message", () => {
    const expected = "main;handle;encode 5\n";
    expect(folded(read(...head, block(2, packed(1, 3, 2, 1), packed(2, 5))))).toBe(expected);
    expect(folded(read(...head, block(2, number(1, 3), number(1, 2), number(1, 1), number(2, 5))))).toBe(
      expected,
    );
    expect(folded(read(...head, block(2, packed(1, 3), number(1, 2), packed(1, 1), number(2, 5))))).toBe(
      expected,
    );
  });

  it("takes the tables in any order", () => {
    const sample = block(2, packed(1, 3, 2, 1), packed(2, 5));
    expect(folded(read(sample, ...[...head].reverse().filter((part) => part[0] !== 0x32), ...strings))).toBe(
      "main;handle;encode 5\n",
    );
  });

  it("sums samples of one stack that differ in labels", () => {
    const labelled = block(2, packed(1, 3, 1), packed(2, 5), block(3, number(1, 7), number(2, 8)));
    const profile = read(...head, labelled, block(2, packed(1, 3, 1), packed(2, 2)));
    expect(folded(profile)).toBe("main;encode 7\n");
    expect(profile.labels.length).toBe(1);
    expect(profile.strings[profile.labels.text[0]]).toBe("value");
  });

  it("keeps numeric labels, their units and negative values", () => {
    const label = block(3, number(1, 7), number(3, -(2n ** 60n)), number(4, 9));
    const profile = read(...head, block(2, packed(1, 1), packed(2, -4), label));
    expect(profile.labels.number[0]).toBe(-(2n ** 60n));
    expect(profile.strings[profile.labels.unit[0]]).toBe("bytes");
    expect(folded(profile)).toBe("main -4\n");
  });

  it("keeps samples without a stack", () => {
    const stacks = sumStacks(read(...head, block(2, packed(2, 5)), block(2, packed(1, 1), packed(2, 1))));
    expect(stacks.length).toBe(2);
    expect([...stacks.values[0]]).toEqual([5, 1]);
  });

  it("keeps values beyond 2^53 exactly, in that column only", () => {
    const two = [block(1, number(1, 1), number(2, 2)), ...head];
    const profile = read(...two, block(2, packed(1, 1), packed(2, 2n ** 53n + 1n, 7)));
    expect(profile.samples.values[0]).toEqual(BigInt64Array.of(2n ** 53n + 1n));
    expect(profile.samples.values[1]).toEqual(Float64Array.of(7));
    const sum = read(...head, ...[1, 2].map(() => block(2, number(1, 1), number(2, 2n ** 53n - 1n))));
    expect(sumStacks(sum).values[0]).toEqual(BigInt64Array.of(2n ** 54n - 2n));
  });
});

describe("reading locations", () => {
  it("expands inlined lines, innermost first", () => {
    const inlined = block(4, number(1, 9), ...[3, 2, 1].map((id) => block(4, number(1, id), number(2, 1))));
    expect(folded(read(...head, inlined, block(2, packed(1, 9), packed(2, 1))))).toBe(
      "main;handle;encode 1\n",
    );
  });

  it("keeps ids apart that differ beyond 2^53", () => {
    const ids = [2n ** 63n + 1n, 2n ** 63n + 2n, 2n ** 53n + 1n];
    const wide = ids.map((id, i) => block(4, number(1, id), block(4, number(1, i + 1))));
    const samples = ids.map((id, i) => block(2, packed(1, id), packed(2, i + 1)));
    expect(folded(read(...head, ...wide, ...samples))).toBe("main 1\nhandle 2\nencode 3\n");
  });

  it("names unsymbolised ones by mapping and address", () => {
    const mapping = [block(6, "/usr/lib/libc.so.6"), block(3, number(1, 1), number(5, texts.length))];
    const bare = [
      block(4, number(1, 11), number(2, 1), number(3, 0x7f00_dead_beefn)),
      block(4, number(1, 12), number(2, 99), number(3, 2n ** 64n - 1n)),
    ];
    const samples = [block(2, packed(1, 11), packed(2, 1)), block(2, packed(1, 12), packed(2, 2))];
    expect(folded(read(...head, ...mapping, ...bare, ...samples))).toBe(
      "libc.so.6!0x7f00deadbeef 1\n0xffffffffffffffff 2\n",
    );
  });

  it("merges equal lines at different addresses into one frame", () => {
    const twin = block(4, number(1, 21), number(3, 4096), block(4, number(1, 1), number(2, 10)));
    const stacks = sumStacks(
      read(...head, twin, block(2, packed(1, 21), packed(2, 1)), block(2, packed(1, 1), packed(2, 1))),
    );
    expect(stacks.length).toBe(1);
    expect(stacks.frames.length).toBe(1);
  });

  it("keeps is_folded, columns and negative lines", () => {
    const profile = read(
      ...head,
      block(4, number(1, 5), block(4, number(1, 1), number(2, -1), number(3, 7)), number(5, 1)),
    );
    expect(profile.locations.isFolded[3]).toBe(1);
    expect(profile.locations.line[3]).toBe(-1);
    expect(profile.locations.column[3]).toBe(7);
  });
});

describe("reading strings", () => {
  it("keeps the last address, however long the one before was", () => {
    for (const addresses of [
      [0x7f00_0000_0000n, 0x10n],
      [0x10n, 0x7f00_0000_0000n],
    ]) {
      const parts = addresses.map((address) => number(3, address));
      expect(read(...head, block(4, number(1, 9), ...parts)).locations.address[3]).toBe(addresses[1]);
    }
  });

  it("counts lines that do not fit 32 bits, and has 0 for them", () => {
    const lines = [2n ** 31n - 1n, -(2n ** 31n), 2n ** 31n, -(2n ** 31n) - 1n, 2n ** 40n];
    const located = block(4, number(1, 9), ...lines.map((line) => block(4, number(1, 1), number(2, line))));
    const started = block(5, number(1, 9), number(5, 2n ** 31n));
    const { locations, functions, trimmed } = read(...head, located, started);
    expect([...locations.line.slice(3)]).toEqual([2 ** 31 - 1, -(2 ** 31), 0, 0, 0]);
    expect(functions.startLine[3]).toBe(0);
    expect(trimmed).toEqual({ ...nothingTrimmed, lines: 4 });
  });

  it("replaces bytes that are not UTF-8", () => {
    const broken = [...strings.slice(0, 3), block(6, [0x61, 0xff, 0x62]), ...strings.slice(4)];
    const profile = read(sampleType, ...functions, ...locations, ...broken);
    expect(profile.strings[3]).toBe("a\ufffdb");
    expect(profile.strings[4]).toBe("handle");
  });

  it("keeps text beyond ASCII next to short and long neighbours", () => {
    const names = ["日本語.😀", "x".repeat(200), "é", "\ufeffmark", "plain"];
    const profile = read(sampleType, ...strings, ...names.map((name) => block(6, name)));
    expect(profile.strings.slice(texts.length)).toEqual(names);
  });
});

describe("skipping and refusing fields", () => {
  it("steps over unknown fields of every wire type", () => {
    const unknown = [
      number(99, 1),
      block(98, "later"),
      [...varintTag(97, 1), 1, 2, 3, 4, 5, 6, 7, 8],
      [...varintTag(96, 5), 1, 2, 3, 4],
    ];
    const sample = block(2, packed(1, 1), packed(2, 1), ...unknown);
    const location = block(4, number(1, 7), ...unknown, block(4, number(1, 1), ...unknown));
    const fn = block(5, number(1, 7), ...unknown);
    expect(folded(read(...head, ...unknown, location, fn, sample))).toBe("main 1\n");
  });

  it("refuses groups, as Go does", () => {
    expect(refusal(...head, varintTag(40, 3))).toMatchObject({ code: "malformed" });
  });

  it("refuses a field of the wrong wire type with its offset", () => {
    const offset = bytesOf(...head).length;
    expect(refusal(...head, number(4, 1))).toMatchObject({ code: "malformed", field: "location", offset });
    expect(refusal(...head, block(5, block(1, "x")))).toMatchObject({
      code: "malformed",
      field: "function.id",
    });
  });
});

function varintTag(field: number, type: number): number[] {
  const tag = number(field, 0).slice(0, -1);
  tag[0] = tag[0] | type;
  return tag;
}

describe("checks of Go's CheckValid", () => {
  const at = bytesOf(...head).length;
  const cases: [string, number[][], Partial<ProfileError>][] = [
    ["a value too few", [block(2, packed(1, 1))], { code: "invalid", field: "sample.value", offset: at + 2 }],
    ["a value too many", [block(2, packed(2, 1, 2))], { code: "invalid", field: "sample.value" }],
    [
      "a location that is not there",
      [block(2, packed(1, 8), packed(2, 1))],
      { code: "invalid", field: "sample.location_id", offset: at + 2 },
    ],
    [
      "a function that is not there",
      [block(4, number(1, 4), block(4, number(1, 8)))],
      { code: "invalid", field: "location.line.function_id" },
    ],
    [
      "a line without a function",
      [block(4, number(1, 4), block(4, number(2, 8)))],
      { code: "invalid", field: "location.line.function_id" },
    ],
    ["location id 0", [block(4, number(3, 8))], { code: "invalid", field: "location.id", offset: at + 2 }],
    [
      "a location id twice",
      [block(4, number(1, 1))],
      { code: "invalid", field: "location.id", offset: at + 2 },
    ],
    ["a function id twice", [block(5, number(1, 1))], { code: "invalid", field: "function.id" }],
    [
      "a wide function id twice",
      [block(5, number(1, 2n ** 60n)), block(5, number(1, 2n ** 60n))],
      { code: "invalid", field: "function.id" },
    ],
    ["mapping id 0", [block(3, number(2, 1))], { code: "invalid", field: "mapping.id" }],
    [
      "a string index past the table",
      [block(5, number(1, 4), number(2, 99))],
      { code: "invalid", field: "function.name", offset: at + 4 },
    ],
    ["a negative string index", [number(14, -1)], { code: "invalid", field: "default_sample_type" }],
    [
      "a label key past the table",
      [block(2, packed(1, 1), packed(2, 1), block(3, number(1, 99), number(2, 1)))],
      { code: "invalid", field: "sample.label.key" },
    ],
    [
      "two times",
      [number(9, 5), number(9, 6)],
      { code: "concatenated", field: "time_nanos", offset: at + 2 },
    ],
    [
      "a list of comments that ends within a number",
      [[0x6a, 2, 3, 0x83], [0x01]],
      { code: "malformed", field: "comment" },
    ],
    ["a message that is cut off", [[0x12, 9, 0x0a]], { code: "malformed", field: "sample", offset: at }],
    ["a number that is cut off", [[0x48, 0x80]], { code: "malformed", field: "time_nanos", offset: at + 1 }],
    [
      "a number of 11 bytes",
      [[0x48, ...new Array(10).fill(0x80), 1]],
      { code: "malformed", field: "time_nanos", offset: at + 1 },
    ],
    [
      "a value that is cut off",
      [block(2, packed(1, 1), block(2, [1, 0x80]))],
      { code: "malformed", field: "sample.value", offset: at + 8 },
    ],
    [
      "a label that is cut off",
      [block(2, packed(1, 1), packed(2, 1), block(3, [0x08]))],
      { code: "malformed", field: "sample.label.key", offset: at + 11 },
    ],
    [
      "a line that is cut off",
      [block(4, number(1, 9), block(4, [0x08, 0x80]))],
      { code: "malformed", field: "location.line.function_id", offset: at + 7 },
    ],
    [
      "an unknown number that is cut off",
      [[0x98, 0x06, 0x80]],
      { code: "malformed", field: "profile", offset: at + 2 },
    ],
    ...(
      [
        ["drop_frames", 7],
        ["keep_frames", 8],
        ["comment", 13],
        ["default_sample_type", 14],
        ["doc_url", 15],
      ] as const
    ).map(([field, id]): (typeof cases)[number] => [
      `a ${field} that is not in the string table`,
      [number(9, 1), number(id, 99)],
      { code: "invalid", field, offset: at + 2 },
    ]),
    [
      "a length of 2^62",
      [[0x12, ...varintTag(0, 0), ...number(0, 2n ** 62n).slice(1)]],
      { code: "malformed" },
    ],
  ];
  it.each(cases)("refuses %s", (_, parts, expected) => {
    expect(refusal(...head, ...parts)).toMatchObject(expected);
  });

  it("refuses samples without sample types, a table without strings, a first string that is not empty", () => {
    const typeless = [...functions, ...locations, ...strings, block(2, packed(1, 1))];
    expect(refusal(...typeless)).toMatchObject({ code: "invalid", field: "sample_type" });
    expect(refusal(sampleType)).toMatchObject({ code: "malformed", field: "string_table" });
    expect(refusal(block(6, "x"))).toMatchObject({ code: "invalid", field: "string_table" });
    expect(refusal()).toMatchObject({ code: "empty" });
  });

  it("accepts an empty profile, and a location with a missing mapping", () => {
    expect(read(block(6, "")).samples.length).toBe(0);
    expect(read(...head, block(4, number(1, 4), number(2, 77))).locations.mapping[3]).toBe(-1);
  });
});

describe("limits", () => {
  const many = writeProfile(
    profileOf(`
    main   main   main
    a      b      c
    1      2      3`),
  );
  it.each(["bytes", "samples", "values", "locations", "functions", "lines", "strings", "frames"] as const)(
    "refuses more %s than allowed, naming the limit",
    (limit) => {
      expect(refusalOf(many, { [limit]: 2 })).toMatchObject({ code: "too_large", field: limit });
    },
  );

  it("refuses more labels than allowed, and sample types for which there is no room", () => {
    const label = block(3, number(1, 7), number(2, 8));
    const sample = block(2, packed(1, 1), packed(2, 1), label, label);
    expect(refusalOf(bytesOf(...head, sample, sample), { labels: 3 })).toMatchObject({
      code: "too_large",
      field: "labels",
    });
    const types = new Array(100).fill(sampleType);
    expect(refusal(...types, ...strings, block(2))).toMatchObject({ code: "invalid", field: "sample.value" });
  });

  it("refuses more comments than allowed, packed or not, with the offset", () => {
    for (const comments of [[packed(13, 3, 3, 3)], [number(13, 3), number(13, 3), number(13, 3)]]) {
      const bytes = bytesOf(...head, ...comments);
      expect(read(...head, ...comments).comments).toEqual(["main", "main", "main"]);
      expect(refusalOf(bytes, { comments: 2 })).toMatchObject({
        code: "too_large",
        field: "comments",
        offset: bytes.length - (comments.length === 1 ? 5 : 2),
      });
    }
    expect(refusal(...head, block(13, new Array(2000).fill(0)))).toMatchObject({ field: "comments" });
  });

  it("cuts deep stacks at the leaf, and counts them", () => {
    const result = readProfile(many, { ...defaultLimits, depth: 1 });
    if (!result.ok) throw new Error(result.error.message);
    expect(folded(result.profile)).toBe("main;[truncated] 6\n");
    expect(result.profile.trimmed.depth).toBe(3);
  });

  it("cuts a location of many inlined lines at the leaf", () => {
    const lines = new Array(50).fill(block(4, number(1, 3)));
    const bytes = bytesOf(
      ...head,
      block(4, number(1, 9), ...lines, block(4, number(1, 1))),
      block(2, packed(1, 9), packed(2, 1)),
    );
    const result = readProfile(bytes, { ...defaultLimits, depth: 3 });
    if (!result.ok) throw new Error(result.error.message);
    expect(folded(result.profile)).toBe("main;encode;[truncated] 1\n");
    expect(result.profile.trimmed.depth).toBe(1);
  });

  it("gives the value of a cut stack to a truncated frame, within the limit, and keeps totals", () => {
    const deep = (length: number) =>
      block(2, packed(1, ...new Array(length - 1).fill(3), 1), packed(2, length));
    const bytes = bytesOf(...head, deep(3), deep(4), deep(5), deep(9));
    const result = readProfile(bytes, { ...defaultLimits, depth: 4 });
    if (!result.ok) throw new Error(result.error.message);
    const cut = foldStacks(sumStacks(result.profile), 0);
    expect(cut).toMatch(/^(.+;\[truncated\]) 14$/m);
    const stacks = sumStacks(result.profile);
    expect([result.profile.trimmed.depth, totalOf(stacks.values[0]), stacks.length]).toEqual([2, 21, 3]);
    for (let i = 0; i < stacks.length; i++)
      expect(stacks.start[i + 1] - stacks.start[i]).toBeLessThanOrEqual(4);
    const again = readProfile(writeProfile(result.profile));
    expect(again.ok && foldStacks(sumStacks(again.profile), 0)).toBe(cut);
  });

  it("keeps the tail of names that are too long, whole characters only", () => {
    const bytes = bytesOf(...head, block(6, "x".repeat(300)), block(6, "ééééé"));
    const result = readProfile(bytes, { ...defaultLimits, nameBytes: 7 });
    if (!result.ok) throw new Error(result.error.message);
    expect(result.profile.strings.slice(-2)).toEqual(["x".repeat(7), "ééé"]);
    expect(result.profile.trimmed.names).toBe(2);
  });

  it("leaves out labels beyond the limit of a sample, and counts them", () => {
    const label = block(3, number(1, 7), number(2, 8));
    const bytes = bytesOf(
      ...head,
      ...[1, 2].map(() => block(2, packed(1, 1), packed(2, 1), label, label, label)),
    );
    const result = readProfile(bytes, { ...defaultLimits, labelsPerSample: 2 });
    if (!result.ok) throw new Error(result.error.message);
    expect(result.profile.labels.length).toBe(4);
    expect(result.profile.trimmed.labels).toBe(2);
  });

  it("reads a stack of 60,000 frames", () => {
    const deep = block(2, packed(1, ...new Array(60_000).fill(1)), packed(2, 1));
    const result = readProfile(bytesOf(...head, deep), { ...defaultLimits, depth: 100_000 });
    if (!result.ok) throw new Error(result.error.message);
    expect(sumStacks(result.profile).frame.length).toBe(60_000);
  });
});

it("never throws on damaged bytes, and every profile it reads can be summed", () => {
  const whole = writeProfile(
    profileOf(`
    main    main    main      main
    handle  handle  gc@a.go:7
    encode  query
    1       2       3         4`),
  );
  let readable = 0;
  let refused = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 }),
      fc.option(fc.nat(whole.length), { freq: 3 }),
      (changes, cut) => {
        const bytes = whole.slice(0, cut ?? whole.length);
        for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
        const result = readProfile(bytes);
        if (result.ok) {
          readable++;
          sumStacks(result.profile);
        } else {
          refused++;
          expect(result.error.message).not.toBe("");
        }
      },
    ),
    { numRuns: 2000, seed: 1 },
  );
  expect(readable).toBeGreaterThan(50);
  expect(refused).toBeGreaterThan(50);
});
