import { existsSync, globSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFastProfile } from "#fast-reader/fast-profile.ts";
import { defaultLimits, type ReadLimits } from "#model/limits.ts";
import { readProfile } from "#read/read-profile.ts";
import { writeProfile } from "#write/write-profile.ts";
import { corpus } from "../testing/corpus.ts";
import { profileOf } from "../testing/index.ts";
import { block, bytesOf, number, packed } from "../testing/proto.ts";
import { readStacks } from "./read-stacks.ts";
import { sumStacks } from "./sum-stacks.ts";

const recorded = new URL("../fixtures/", import.meta.url);
const collected = new URL("open/", corpus);

/** The result of both readers, as plain data. */
function generally(raw: Uint8Array, limits = defaultLimits): unknown {
  const result = readProfile(raw, limits);
  if (!result.ok) return result.error;
  const { samples, locations, functions, mappings, labels, strings, stringIds, trimmed, drops, ...header } =
    result.profile;
  return { header, stacks: sumStacks(result.profile), sampleCount: samples.length, trimmed };
}

function inOnePass(raw: Uint8Array, limits = defaultLimits): unknown {
  const result = readStacks(raw, limits);
  if (!result.ok) return result.error;
  const { sampleTypes, defaultSampleType, periodType, period, timeNs, durationNs } = result.profile;
  const { dropFrames, keepFrames, comments, docUrl, stacks, sampleCount, trimmed } = result.profile;
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
  return { header, stacks, sampleCount, trimmed };
}

const isUsual = (raw: Uint8Array, limits: Partial<ReadLimits> = {}) =>
  readFastProfile(raw, { ...defaultLimits, ...limits }) !== undefined;

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

describe("reading stacks in one pass", () => {
  it("equals reading and summing, and reads Go's profiles with the fast reader", () => {
    const profiles = files(recorded).filter(({ name }) => name.endsWith(".pb.gz"));
    expect(profiles.length).toBeGreaterThan(5);
    for (const { name, raw } of profiles) {
      expect(inOnePass(raw), name).toEqual(generally(raw));
      // Threads that Go did not start have no name.
      if (name !== "threadcreate.pb.gz") expect(isUsual(raw), name).toBe(true);
    }
  });

  it.runIf(existsSync(collected))("does so for every file of the collection, broken ones too", () => {
    let usual = 0;
    const profiles = files(collected);
    for (const { name, raw } of profiles) {
      expect(inOnePass(raw), name).toEqual(generally(raw));
      if (isUsual(raw)) usual++;
    }
    console.info(`one pass: ${profiles.length} files looked at, ${usual} in the usual form`);
    expect(usual).toBeGreaterThan(profiles.length / 3);
  });

  it("does so for profiles in which any byte was changed, or that end early", () => {
    const originals = [small(), ...files(recorded).map(({ raw }) => raw)].filter(
      ({ length }) => length < 20_000,
    );
    let usual = 0;
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
          if (isUsual(raw)) usual++;
          expect(inOnePass(raw)).toEqual(generally(raw));
        },
      ),
      { numRuns: 2000 },
    );
    expect(usual).toBeGreaterThan(20);
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

describe("the usual form", () => {
  const sampleOf = (...parts: number[][]) => bytesOf(...head, block(2, ...parts));

  it("is packed lists, unpacked lists and both", () => {
    for (const sample of [
      [packed(1, 2, 1), packed(2, 5)],
      [number(1, 2), number(1, 1), number(2, 5)],
      [packed(1, 2), number(2, 5), number(1, 1)],
      [packed(1, 3), packed(2, 5)],
    ]) {
      const raw = sampleOf(...sample);
      expect(isUsual(raw)).toBe(true);
      expect(inOnePass(raw)).toEqual(generally(raw));
    }
  });

  it("is packed ids of one, two and three bytes, however they lie, and locations in any order", () => {
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
          expect(isUsual(raw)).toBe(true);
          expect(inOnePass(raw)).toEqual(generally(raw));
        },
      ),
      { numRuns: 40 },
    );
  });

  it("is no packed list that ends within an id or names a missing location", () => {
    for (const ids of [
      [0x81],
      [1, 2, 0x80],
      [0],
      [4],
      [0x84, 0x80, 0x80, 0x01],
      [1, 1, 1, 1, 1, 1, 1, 1, 0x84, 0x01],
    ]) {
      const raw = sampleOf(block(1, ids), packed(2, 5));
      expect(isUsual(raw), ids.join()).toBe(false);
      expect(inOnePass(raw)).toEqual(generally(raw));
    }
  });

  it("is no profile that the limits would cut or refuse", () => {
    const mapping = block(3, number(1, 1), number(5, 5));
    const raw = bytesOf(...head, mapping, block(2, packed(1, 3, 1), packed(2, 5)));
    expect(isUsual(raw)).toBe(true);
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
      expect(isUsual(raw, limits), JSON.stringify(limits)).toBe(false);
      const bounds = { ...defaultLimits, ...limits };
      expect(inOnePass(raw, bounds)).toEqual(generally(raw, bounds));
    }
  });

  it("is not a name that is not ASCII, a number beyond 2^53, a frame without a function, or a wrong mapping", () => {
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
      expect(isUsual(raw)).toBe(false);
      expect(inOnePass(raw)).toEqual(generally(raw));
    }
  });

  it("is not a field whose length would lead back to its own start", () => {
    // Unsigned numbers of 32 bits wrap: 0xfffffff6 is ten bytes back.
    const back = bytesOf(
      ...head,
      [0x12, 0xf6, 0xff, 0xff, 0xff, 0x0f],
      Array.from({ length: 20 }, () => 0),
    );
    expect(isUsual(back)).toBe(false);
    expect(inOnePass(back)).toEqual(generally(back));
  });

  it("fits its memory, and no memory is allocated for missing messages", () => {
    const types = Array.from({ length: 100 }, () => block(1, number(1, 1), number(2, 2)));
    const hollow = bytesOf(...types, ...head.slice(1), ...Array.from({ length: 50_000 }, () => block(2)));
    const many = Array.from({ length: 2000 }, () => line(1));
    const deep = bytesOf(
      ...head,
      block(4, number(1, 4), ...many),
      block(2, packed(1, ...new Array(20_000).fill(4)), packed(2, 5)),
    );
    for (const raw of [hollow, deep]) {
      expect(isUsual(raw, { depth: 1e6 })).toBe(false);
      expect(inOnePass(raw)).toEqual(generally(raw));
    }
    const huge = { ...defaultLimits, depth: 1e9, frames: 2e9, lines: 1e9 };
    expect(readFastProfile(deep, huge)?.stacks.frame.length).toBe(40_000_000);
  });

  it("is refused if its frames have more text than is stored, and so is any other", () => {
    // Two frames, each with a name of four letters and a file of seven.
    const text = 2 * (32 + 4 + 7);
    for (const value of [5, -5]) {
      const raw = sampleOf(packed(1, 3, 2, 1), packed(2, value));
      expect(isUsual(raw, { frameText: text })).toBe(value > 0);
      expect(isUsual(raw, { frameText: text - 1 })).toBe(false);
      expect(readStacks(raw, { ...defaultLimits, frameText: text }).ok).toBe(true);
      expect(readStacks(raw, { ...defaultLimits, frameText: text - 1 })).toMatchObject({
        error: { code: "too_large", field: "frameText" },
      });
    }
  });

  it("is not affected by earlier readings", () => {
    const first = inOnePass(small());
    const before = structuredClone(first);
    inOnePass(sampleOf(packed(1, 3), packed(2, 5)));
    expect(inOnePass(small())).toEqual(before);
  });
});
