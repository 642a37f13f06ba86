import { existsSync, globSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFastProfile } from "#fast-reader/fast-profile.ts";
import { labelsOfSamples, type ReadLabels } from "#labels/sample-labels.ts";
import { defaultLimits, type ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { readProfile } from "#read/read-profile.ts";
import { sumSamples } from "#stacks/sum-stacks.ts";
import { writeProfile } from "#write/write-profile.ts";
import { readLabelledStacks, readStacks } from "./read-stacks.ts";
import { corpus } from "./testing/corpus.ts";
import { isFullLength } from "./testing/full-length.ts";
import { profileOf } from "./testing/index.ts";
import { block, bytesOf, number, packed } from "./testing/proto.ts";

/** Comparing two readings of a large profile takes a second. */
const shortBytesMax = 100_000;
const recorded = new URL("./fixtures/", import.meta.url);
const collected = new URL("open/", corpus);

/** The result of the general reader, as plain data. */
function generalResult(raw: Uint8Array, limits = defaultLimits): unknown {
  const result = readProfile(raw, limits);
  if (!result.ok) return result.error;
  const { samples, locations, functions, mappings, labels, strings, stringIds, trimmed, drops, ...header } =
    result.profile;
  const { stacks, stackOf } = sumSamples(result.profile);
  const found = labelsOfSamples(result.profile, stackOf, stacks.length);
  return { header, stacks, sampleCount: samples.length, trimmed, labels: sorted(found) };
}

/** Labels with the rows sorted: the readers give them in different orders. */
function sorted(labels: ReadLabels | undefined): unknown {
  if (typeof labels !== "object") return labels;
  const { stack, set, values, ...sets } = labels;
  const rows = [...stack].map((of, row) => [of, set[row], ...values.map((column) => column[row])]);
  return { ...sets, rows: rows.sort((a, b) => a[0] - b[0] || a[1] - b[1]) };
}

function readResult(raw: Uint8Array, limits = defaultLimits): unknown {
  const result = readLabelledStacks(raw, limits);
  if (!result.ok) return result.error;
  const { sampleTypes, defaultSampleType, periodType, period, timeNs, durationNs } = result.profile;
  const { dropFrames, keepFrames, comments, docUrl, stacks, sampleCount, trimmed, labels } = result.profile;
  const header = {
    sampleTypes,
    defaultSampleType,
    periodType,
    period,
    timeNs,
    durationNs,
    dropFrames,
    keepFrames,
    comments,
    docUrl,
  };
  return { header, stacks, sampleCount, trimmed, labels: sorted(labels) };
}

const takesFastReader = (raw: Uint8Array, limits: Partial<ReadLimits> = {}) =>
  readFastProfile(raw, { ...defaultLimits, ...limits }, true) !== undefined;

function files(folder: URL): { name: string; raw: Uint8Array }[] {
  return globSync("**/*", { cwd: folder, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    const body = readFileSync(`${entry.parentPath}/${entry.name}`);
    try {
      return [
        { name: entry.name, raw: body[0] === 0x1f ? gunzipSync(body, { maxOutputLength: 2 ** 25 }) : body },
      ];
    } catch {
      return [];
    }
  });
}

describe("readStacks", () => {
  it("returns what the general reader returns, and reads Go's profiles with the fast reader", () => {
    const profiles = files(recorded).filter(({ name }) => name.endsWith(".pb.gz"));
    expect(profiles.length).toBeGreaterThan(5);
    for (const { name, raw } of profiles) {
      expect(readResult(raw), name).toEqual(generalResult(raw));
      // Threads that Go did not start have no name.
      if (name !== "threadcreate.pb.gz") expect(takesFastReader(raw), name).toBe(true);
    }
  });

  it.runIf(existsSync(collected))(
    "returns what the general reader returns for every file of the corpus, including broken ones",
    () => {
      let fast = 0;
      const all = files(collected);
      // The largest ones make the reader's memory grow.
      const largest = all.toSorted((a, b) => b.raw.length - a.raw.length).slice(0, 3);
      const profiles = all.filter(
        (file) => isFullLength || file.raw.length < shortBytesMax || largest.includes(file),
      );
      for (const { name, raw } of profiles) {
        expect(readResult(raw), name).toEqual(generalResult(raw));
        if (takesFastReader(raw)) fast++;
      }
      console.info(`readStacks: ${profiles.length} files checked, ${fast} read by the fast reader`);
      expect(fast).toBeGreaterThan(profiles.length / 3);
    },
  );

  it("returns what the general reader returns for profiles with changed bytes or a missing end", () => {
    const originals = [small(), ...files(recorded).map(({ raw }) => raw)].filter(
      ({ length }) => length < 20_000,
    );
    let fast = 0;
    fc.assert(
      fc.property(
        fc.nat(),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
        fc.nat(),
        (which, changes, end) => {
          const original = originals[which % originals.length];
          const raw = Uint8Array.from(
            original.subarray(0, end % 4 === 0 ? end % original.length : undefined),
          );
          for (const [at, byte] of changes) if (raw.length > 0) raw[at % raw.length] = byte;
          if (takesFastReader(raw)) fast++;
          expect(readResult(raw)).toEqual(generalResult(raw));
        },
      ),
      { numRuns: 2000 },
    );
    expect(fast).toBeGreaterThan(20);
  });
});

function small(): Uint8Array {
  return writeProfile(profileOf("main main main\nwork work@a.go:2 idle\n1 2 3"));
}

// samples/count, functions main (1) and work (2), a location for each, and one with both.
const texts = ["", "samples", "count", "main", "work", "main.go"];
const strings = texts.map((text) => block(6, text));
const functions = [1, 2].map((id) => block(5, number(1, id), number(2, id + 2), number(4, 5)));
const line = (fn: number) => block(4, number(1, fn), number(2, fn * 10));
const locations = [
  block(4, number(1, 1), line(1)),
  block(4, number(1, 2), line(2)),
  block(4, number(1, 3), line(2), line(1)),
];
const head = [block(1, number(1, 1), number(2, 2)), ...functions, ...locations, ...strings];

describe("the fast reader", () => {
  const sampleOf = (...parts: number[][]) => bytesOf(...head, block(2, ...parts));

  it("reads packed lists, unpacked lists and a mix of both", () => {
    for (const sample of [
      [packed(1, 2, 1), packed(2, 5)],
      [number(1, 2), number(1, 1), number(2, 5)],
      [packed(1, 2), number(2, 5), number(1, 1)],
      [packed(1, 3), packed(2, 5)],
    ]) {
      const raw = sampleOf(...sample);
      expect(takesFastReader(raw)).toBe(true);
      expect(readResult(raw)).toEqual(generalResult(raw));
    }
  });

  it("reads packed ids of one, two and three bytes in any sequence, and locations in any order", () => {
    const places = 17_000;
    const ids = Array.from({ length: places }, (_, i) => i + 1);
    // Of one frame, of two, and the same frames at many places.
    const all = ids.map((id) =>
      block(4, number(1, id), line(1 + (id % 2)), ...(id % 5 === 0 ? [line(1)] : [])),
    );
    const id = fc.oneof(fc.integer({ min: 1, max: 127 }), fc.integer({ min: 1, max: places }));
    fc.assert(
      fc.property(
        fc.array(fc.array(id, { minLength: 1, maxLength: 400 }), { maxLength: 5 }),
        fc.boolean(),
        (lists, isBackward) => {
          const samples = lists.map((list) => block(2, packed(1, ...list), packed(2, 5)));
          const located = isBackward ? all.toReversed() : all;
          const raw = bytesOf(head[0], ...samples, ...located, ...functions, ...strings);
          expect(takesFastReader(raw)).toBe(true);
          expect(readResult(raw)).toEqual(generalResult(raw));
        },
      ),
      { numRuns: 40 },
    );
  });

  it("reads labels wherever they are in a sample, and numbers of any size", () => {
    const text = fc.integer({ min: 0, max: texts.length - 1 });
    const sized = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.bigInt({ min: 0n, max: 9n }),
    );
    const labelField = fc.oneof(
      fc.tuple(fc.constantFrom(1, 2, 4), text).map(([field, value]) => number(field, value)),
      sized.map((value) => number(3, value)),
    );
    const label = fc.array(labelField, { maxLength: 4 }).map((fields) => block(3, ...fields));
    const sample = fc
      .tuple(
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }),
        fc.array(label, { maxLength: 3 }),
      )
      .chain(([ids, labels]) =>
        fc.shuffledSubarray([packed(1, ...ids), packed(2, 5), ...labels], { minLength: 2 + labels.length }),
      );
    fc.assert(
      fc.property(fc.nat(3), fc.array(sample, { maxLength: 20 }), (unlabelled, samples) => {
        const plain = Array.from({ length: unlabelled }, (_, i) => [packed(1, 1 + (i % 2)), packed(2, 7)]);
        const raw = bytesOf(...head, ...[...plain, ...samples].map((parts) => block(2, ...parts)));
        expect(takesFastReader(raw)).toBe(true);
        expect(readResult(raw)).toEqual(generalResult(raw));
      }),
      { numRuns: 300 },
    );
  });

  it("leaves packed lists that end within an id or name a missing location to the general reader", () => {
    for (const ids of [
      [0x81],
      [1, 2, 0x80],
      [0],
      [4],
      [0x84, 0x80, 0x80, 0x01],
      [1, 1, 1, 1, 1, 1, 1, 1, 0x84, 0x01],
    ]) {
      const raw = sampleOf(block(1, ids), packed(2, 5));
      expect(takesFastReader(raw), ids.join()).toBe(false);
      expect(readResult(raw)).toEqual(generalResult(raw));
    }
  });

  it("leaves profiles over a limit to the general reader", () => {
    const mapping = block(3, number(1, 1), number(5, 5));
    const raw = bytesOf(...head, mapping, block(2, packed(1, 3, 1), packed(2, 5)));
    expect(takesFastReader(raw)).toBe(true);
    for (const limits of [
      { depth: 2 },
      { frames: 2 },
      { samples: 0 },
      { values: 0 },
      { locations: 2 },
      { lines: 3 },
      { functions: 1 },
      { strings: 5 },
      { nameBytes: 4 },
      { mappings: 0 },
      { bytes: 10 },
    ]) {
      expect(takesFastReader(raw, limits), JSON.stringify(limits)).toBe(false);
      const bounds = { ...defaultLimits, ...limits };
      expect(readResult(raw, bounds)).toEqual(generalResult(raw, bounds));
    }
  });

  it("leaves non-ASCII names, numbers beyond 2^53, frames without a function and wrong mappings to the general reader", () => {
    const other = bytesOf(...head.slice(0, -1), block(6, "日本.go"), block(2, packed(1, 1), packed(2, 5)));
    const twice = bytesOf(
      ...head,
      block(3, number(1, 7)),
      block(3, number(1, 7)),
      block(2, packed(1, 1), packed(2, 5)),
    );
    const nameless = bytesOf(
      ...head,
      block(3, number(1, 1), number(5, 99)),
      block(2, packed(1, 1), packed(2, 5)),
    );
    const huge = sampleOf(packed(1, 1), packed(2, 2 ** 60));
    const bare = bytesOf(...head, block(4, number(1, 4)), block(2, packed(1, 4), packed(2, 5)));
    for (const raw of [other, huge, bare, twice, nameless]) {
      expect(takesFastReader(raw)).toBe(false);
      expect(readResult(raw)).toEqual(generalResult(raw));
    }
  });

  it("rejects a field whose length would wrap around to its own start", () => {
    // Unsigned numbers of 32 bits wrap: 0xfffffff6 is ten bytes back.
    const back = bytesOf(
      ...head,
      [0x12, 0xf6, 0xff, 0xff, 0xff, 0x0f],
      Array.from({ length: 20 }, () => 0),
    );
    expect(takesFastReader(back)).toBe(false);
    expect(readResult(back)).toEqual(generalResult(back));
  });

  it("gives up when its memory is full, and allocates none for missing messages", () => {
    const types = Array.from({ length: 100 }, () => block(1, number(1, 1), number(2, 2)));
    const hollow = bytesOf(...types, ...head.slice(1), ...Array.from({ length: 50_000 }, () => block(2)));
    const many = Array.from({ length: 2000 }, () => line(1));
    const deep = bytesOf(
      ...head,
      block(4, number(1, 4), ...many),
      block(2, packed(1, ...new Array(20_000).fill(4)), packed(2, 5)),
    );
    for (const raw of [hollow, deep]) {
      expect(takesFastReader(raw, { depth: 1e6 })).toBe(false);
      expect(readResult(raw)).toEqual(generalResult(raw));
    }
    const huge = { ...defaultLimits, depth: 1e9, frames: 2e9, lines: 1e9 };
    expect(readFastProfile(deep, huge)?.stacks.frame.length).toBe(40_000_000);
  });

  it("refuses a profile whose frame names are too long together, as the general reader does", () => {
    // Two frames, each with a name of four letters and a file of seven.
    const text = 2 * (32 + 4 + 7);
    for (const value of [5, -5]) {
      const raw = sampleOf(packed(1, 3, 2, 1), packed(2, value));
      expect(takesFastReader(raw, { frameText: text })).toBe(value > 0);
      expect(takesFastReader(raw, { frameText: text - 1 })).toBe(false);
      expect(readStacks(raw, { ...defaultLimits, frameText: text }).ok).toBe(true);
      expect(readStacks(raw, { ...defaultLimits, frameText: text - 1 })).toMatchObject({
        error: { code: "too_large", field: "frameText" },
      });
    }
  });

  it.each([
    ["without inlined frames", [1, 2, 2, 1, 2]],
    ["with inlined frames", [3, 1, 3, 2, 3]],
    ["with inlined frames of the last samples alone", [1, 2]],
  ])(
    "leaves large profiles to the general reader, %s, and writes the frames over the locations",
    (_, ids) => {
      const samples = Array.from({ length: 1100 }, (_, i) => {
        // Half of the stacks occur twice.
        const list = Array.from({ length: 2000 }, (_, at) => ids[(at * (1 + (i % 550))) % ids.length]!);
        if (i > 1000) list.fill(3);
        return bytesOf(block(2, packed(1, ...list), packed(2, i)));
      });
      const raw = Buffer.concat([bytesOf(...head), ...samples]);
      expect(takesFastReader(raw)).toBe(false);
      const read = readLabelledStacks(raw);
      if (!read.ok) throw new Error(read.error.message);
      const { stacks } = read.profile;
      const { stacks: expected } = sumSamples((readProfile(raw) as { profile: Profile }).profile);
      expect(stacks.frame.every((frame, at) => frame === expected.frame[at])).toBe(true);
      expect({ ...stacks, frame: undefined }).toEqual({ ...expected, frame: undefined });
      // All ids and frames of the profile were in this memory, not in another as large.
      expect(stacks.frame.buffer.byteLength).toBeGreaterThanOrEqual(4 * 1100 * 2000);
    },
  );

  it("returns the same result after another profile was read", () => {
    const first = readResult(small());
    const before = structuredClone(first);
    readResult(sampleOf(packed(1, 3), packed(2, 5)));
    expect(readResult(small())).toEqual(before);
  });
});
