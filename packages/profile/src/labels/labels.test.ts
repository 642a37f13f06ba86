import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { labelTotals } from "#describe/label-totals.ts";
import type { ProfileStacks } from "#fast-reader/fast-profile.ts";
import { defaultLimits } from "#model/limits.ts";
import type { LabelColumns, Profile } from "#model/profile.ts";
import { readProfile } from "#read/read-profile.ts";
import { writeProfile } from "#write/write-profile.ts";
import { readLabelledStacks } from "../read-stacks.ts";
import { profileOf } from "../testing/index.ts";
import { block, bytesOf, number, packed } from "../testing/proto.ts";
import { inflatedRecording, labelsOfRecordings, recordedProfiles } from "../testing/recordings.ts";
import { foldedValue, foldSets, type LabelSet } from "./fold-sets.ts";
import { type LabelSets, numberClass, numberClassText, type SampleLabels } from "./sample-labels.ts";
import { withSets } from "./split-stacks.ts";

const unlimited = { keys: 1000, values: 100_000, sets: 65_535 };

function read(raw: Uint8Array, limits = defaultLimits): ProfileStacks {
  const result = readLabelledStacks(raw, limits);
  if (!result.ok) throw new Error(result.error.message);
  return result.profile;
}

function labelsIn(raw: Uint8Array, limits = defaultLimits): SampleLabels {
  const { labels } = read(raw, limits);
  if (typeof labels !== "object") throw new Error(`the labels are ${labels}`);
  return labels;
}

/** The rows of a profile by labels, and its sets. */
function splitOf(raw: Uint8Array) {
  const profile = read(raw);
  const labels = labelsIn(raw);
  const { sets, setOf } = foldSets(labels, { totals: () => [], limits: unlimited });
  return { profile, sets, rows: withSets(labels, profile.stacks.length, setOf) };
}

/** The total of the rows whose set passes. */
function totalOf(
  { rows, sets }: ReturnType<typeof splitOf>,
  type: number,
  passes: (set: LabelSet) => boolean,
) {
  const none: LabelSet = new Map();
  return rows.values[type].reduce(
    (sum, value, row) => sum + (passes(sets[rows.set[row] - 1] ?? none) ? value : 0),
    0,
  );
}

/** One of its samples has a key twice: the first value counts. */
const repeatedKey = "recipes/valid-labels.pb.gz";

describe("the labels of recorded profiles", () => {
  const labelled = recordedProfiles().flatMap(({ file }) => {
    const raw = inflatedRecording(file)!;
    const read = readProfile(raw);
    return read.ok && read.profile.labels.length > 0 && file !== repeatedKey
      ? [{ file, raw, profile: read.profile }]
      : [];
  });

  it("sum to the totals of the general reader, key by key, with those without the label", () => {
    expect(labelled.length).toBeGreaterThan(20);
    for (const { file, raw, profile } of labelled) {
      const split = splitOf(raw);
      const { labels } = labelTotals(profile);
      const texts = labels.filter(({ value }) => !/^-?\d+( |$)/.test(value));
      for (const { key, value, totals } of texts)
        expect([
          file,
          key,
          value,
          ...totals.map((_, type) => totalOf(split, type, (set) => set.get(key) === value)),
        ]).toEqual([file, key, value, ...totals]);
      for (const key of new Set(labels.map((label) => label.key)))
        for (const [type, column] of profile.samples.values.entries()) {
          const sum =
            totalOf(split, type, (set) => set.has(key)) + totalOf(split, type, (set) => !set.has(key));
          expect(sum).toBe(Array.from(column, Number).reduce((whole, value) => whole + value, 0));
        }
    }
  });

  it("have the functions and totals that go tool pprof finds with -tags and -tagfocus", () => {
    const truths = labelsOfRecordings();
    expect(truths.flatMap(({ values }) => values).length).toBeGreaterThan(15);
    for (const { file, sampleIndex, values } of truths) {
      const split = splitOf(inflatedRecording(file)!);
      for (const { key, value, total, functions } of values) {
        const passes = (set: LabelSet) => set.get(key) === value;
        expect([file, key, value, totalOf(split, sampleIndex, passes)]).toEqual([file, key, value, total]);
        const found = functionValues(split, sampleIndex, passes);
        for (const [name, self, ofFunction] of functions)
          expect([name, found.get(name)]).toEqual([name, [self, ofFunction]]);
      }
    }
  });
});

/** Self and total value of each function over the rows whose set passes. */
function functionValues(
  { profile: { stacks }, rows, sets }: ReturnType<typeof splitOf>,
  type: number,
  passes: (set: LabelSet) => boolean,
): Map<string, [self: number, total: number]> {
  const found = new Map<string, [number, number]>();
  rows.set.forEach((set, row) => {
    if (!passes(sets[set - 1] ?? new Map())) return;
    const stack = rows.stack[row];
    const names = [...stacks.frame.subarray(stacks.start[stack], stacks.start[stack + 1])].map(
      (frame) => stacks.frames.functionName[frame],
    );
    const value = Number(rows.values[type][row]);
    for (const name of new Set(names)) {
      const [self, total] = found.get(name) ?? [0, 0];
      found.set(name, [self + (name === names[0] ? value : 0), total + value]);
    }
  });
  return found;
}

const label = fc.record({
  key: fc.constantFrom("handler", "tenant", "region"),
  value: fc.oneof(fc.constantFrom("a", "b", "c"), fc.bigInt({ min: -5n, max: 5000n })),
});

/** A profile of two stacks, with these labels for each of its samples. */
function profileWith(samples: readonly (readonly { key: string; value: string | bigint }[])[]): Profile {
  const profile = profileOf("main main\nread write\n1 2");
  const strings = ["", "samples", "count", "main", "read", "write"];
  const place = (text: string) => {
    if (!profile.strings.includes(text) && !strings.includes(text)) strings.push(text);
    return 0;
  };
  const all = samples.flat();
  for (const { key, value } of all) place(key) + (typeof value === "string" ? place(value) : 0);
  const texts = [...profile.strings, ...strings.filter((text) => !profile.strings.includes(text))];
  const labels: LabelColumns = {
    length: all.length,
    key: Uint32Array.from(all, ({ key }) => texts.indexOf(key)),
    text: Uint32Array.from(all, ({ value }) => (typeof value === "string" ? texts.indexOf(value) : 0)),
    number: BigInt64Array.from(all, ({ value }) => (typeof value === "string" ? 0n : value)),
    unit: new Uint32Array(all.length),
  };
  let at = 0;
  const labelStart = Uint32Array.from([0, ...samples.map((own) => (at += own.length))]);
  const { location, locationStart } = profile.samples;
  const ends = samples.map((_, sample) => sample % 2);
  const locations = ends.map((stack) => [
    ...location.subarray(locationStart[stack], locationStart[stack + 1]),
  ]);
  let end = 0;
  return {
    ...profile,
    strings: texts,
    labels,
    samples: {
      length: samples.length,
      location: Uint32Array.from(locations.flat()),
      locationStart: Uint32Array.from([0, ...locations.map((own) => (end += own.length))]),
      labelStart,
      values: [Float64Array.from(samples, (_, sample) => sample + 1)],
    },
  };
}

test("rows of any labels sum to the stacks, and each has the labels of its samples", () => {
  fc.assert(
    fc.property(fc.array(fc.array(label, { maxLength: 3 }), { minLength: 1, maxLength: 12 }), (samples) => {
      fc.pre(samples.flat().some(({ value }) => value !== 0n));
      const split = splitOf(writeProfile(profileWith(samples)));
      for (const key of ["handler", "tenant", "region"])
        for (const value of ["a", "b", "c"]) {
          const first = (own: (typeof samples)[number]) =>
            own.find((each) => each.key === key && each.value !== 0n);
          const expected = samples.reduce(
            (sum, own, i) => sum + (first(own)?.value === value ? i + 1 : 0),
            0,
          );
          expect(totalOf(split, 0, (set) => set.get(key) === value)).toBe(expected);
        }
    }),
  );
});

test("a sample may have thousands of labels, and only the sets of samples are kept", () => {
  const many = Array.from({ length: 5000 }, (_, i) => ({ key: `key ${i}`, value: "a" }));
  const raw = writeProfile(profileWith([many, many.slice(0, 2), many]));
  const { setStart, stack, set } = labelsIn(raw, { ...defaultLimits, labelsPerSample: 10_000 });
  expect([...setStart]).toEqual([0, 5000, 5002]);
  expect([[...stack], [...set]]).toEqual([
    [0, 1],
    [1, 2],
  ]);
  // Beyond the limit of a sample, the general reader leaves labels out.
  expect([...labelsIn(raw).setStart]).toEqual([0, 100, 102]);
});

test("sets with too many labels together are not read", () => {
  const limits = { ...defaultLimits, labelsPerSample: 1000 };
  const many = Array.from({ length: 900 }, (_, i) => ({ key: `key ${i}`, value: 1n }));
  const setsOfMany = (count: number) => {
    const samples = Array.from({ length: count }, (_, i) => [
      ...many,
      { key: "key", value: 1n << BigInt(i) },
    ]);
    return labelsIn(writeProfile(profileWith(samples)), limits).setStart.length - 1;
  };
  expect(setsOfMany(60)).toBe(60);
  const repeated = Array.from({ length: 300 }, (_, i) =>
    many.map(({ key }, at) => ({ key, value: at < i ? 1n : 2n })),
  );
  expect(read(writeProfile(profileWith(repeated)), limits).labels).toBe("unreadable");
});

test("more sets than can be numbered are not read", () => {
  const strings = [
    "",
    "samples",
    "count",
    "main",
    "a",
    "b",
    ...Array.from({ length: 260 }, (_, i) => `v${i}`),
  ];
  const label = (key: number, value: number) => block(3, number(1, key), number(2, 6 + value));
  const pairs = (count: number) =>
    bytesOf(
      block(1, number(1, 1), number(2, 2)),
      ...Array.from({ length: count }, (_, i) =>
        block(2, packed(1, 1), packed(2, 1), label(4, i >> 8), label(5, i & 255)),
      ),
      block(4, number(1, 1), block(4, number(1, 1))),
      block(5, number(1, 1), number(2, 3)),
      ...strings.map((text) => block(6, text)),
    );
  expect(labelsIn(pairs(3000)).setStart).toHaveLength(3001);
  expect(read(pairs(66_000)).labels).toBe("unreadable");
});

test("classes of numbers double, and name their bounds", () => {
  const classOf = (number: bigint) => {
    const bits = BigInt.asUintN(64, number);
    return numberClassText(numberClass(Number(bits & 0xffff_ffffn), Number(bits >> 32n)), "", "bytes");
  };
  expect([0n, 1n, 2n, 3n, 4n, 512n, 1023n, 1024n, -1n].map(classOf)).toEqual([
    "0",
    "1",
    "2-3",
    "2-3",
    "4-7",
    "512-1023",
    "512-1023",
    "1024-2047",
    "negative",
  ]);
  expect(classOf(2n ** 32n)).toBe("4294967296-8589934591");
  expect(classOf(2n ** 63n - 1n)).toBe("4611686018427387904-9223372036854775807");
  expect(numberClassText(10, "kilobytes", "size")).toBe("512-1023 kilobytes");
});

/** Sets of labels as a reader gives them. */
function setsOfTexts(sets: readonly (readonly (readonly [key: string, value: string])[])[]): LabelSets {
  let end = 0;
  return {
    labels: sets.flat().map(([key, value]) => ({ key, value })),
    setStart: Uint32Array.from([0, ...sets.map((set) => (end += set.length))]),
    setLabels: Uint32Array.from(sets.flat(), (_, index) => index),
  };
}

describe("sets within limits", () => {
  it("become one where they have the same labels in another order, with the first value of each key", () => {
    const sets = setsOfTexts([
      [
        ["a", "1"],
        ["b", "2"],
      ],
      [
        ["b", "2"],
        ["a", "1"],
        ["a", "3"],
      ],
      [["b", "2"]],
      [["", "2"]],
    ]);
    const folded = foldSets(sets, { totals: () => [], limits: unlimited });
    expect(folded.sets.map((set) => [...set])).toEqual([
      [
        ["a", "1"],
        ["b", "2"],
      ],
      [["b", "2"]],
    ]);
    expect([...folded.setOf]).toEqual([0, 1, 1, 2, 0]);
    expect(folded.foldedLabels).toBe(0);
  });

  const given = setsOfTexts(
    Array.from({ length: 6 }, (_, i) => [
      ["request", `r${i}`],
      ["handler", i % 2 === 0 ? "/a" : "/b"],
    ]),
  );
  const totals = () => [0, 6, 5, 4, 3, 2, 1];

  it("keep the values with the largest totals, and fold and count the others", () => {
    const folded = foldSets(given, { totals, limits: { keys: 5, values: 2, sets: 100 } });
    expect(folded.sets.map((set) => [...set])).toEqual([
      [
        ["handler", "/a"],
        ["request", "r0"],
      ],
      [
        ["handler", "/b"],
        ["request", "r1"],
      ],
      [
        ["handler", "/a"],
        ["request", foldedValue],
      ],
      [
        ["handler", "/b"],
        ["request", foldedValue],
      ],
    ]);
    expect([...folded.setOf]).toEqual([0, 1, 2, 3, 4, 3, 4]);
    expect(folded.foldedLabels).toBe(4);
  });

  it("fold all values of an identifier", () => {
    const folded = foldSets(given, {
      totals,
      limits: { keys: 5, values: 9, sets: 100 },
      isIdentifier: (key) => key === "request",
    });
    expect(folded.sets).toHaveLength(2);
    expect(folded.foldedLabels).toBe(6);
  });

  it("fold the key with most values where there are too many sets, and leave keys out beyond their limit", () => {
    const few = foldSets(given, { totals, limits: { keys: 5, values: 9, sets: 3 } });
    expect(few.sets.map((set) => set.get("handler"))).toEqual(["/a", "/b"]);
    const one = foldSets(given, { totals, limits: { keys: 1, values: 9, sets: 3 } });
    expect(one.sets.map((set) => [...set.keys()])).toEqual([["handler"], ["handler"]]);
    expect(foldSets(given, { totals, limits: { keys: 5, values: 9, sets: 0 } }).sets).toEqual([]);
  });
});
