import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { profileTypeOf } from "#describe/profile-type.ts";
import { defaultLimits, type ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { readProfile } from "#read/read-profile.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { totalOf } from "#stacks/total-of.ts";
import { readStacks } from "../../read-stacks.ts";
import { isFullLength } from "../../testing/full-length.ts";
import { recordingOf } from "../../testing/recording-of.ts";

const folder = new URL("../../fixtures/jfr/", import.meta.url);

function recorded(name: string): Uint8Array {
  return Uint8Array.from(gunzipSync(readFileSync(new URL(`${name}.jfr.gz`, folder))));
}

function read(bytes: Uint8Array, limits: ReadLimits = defaultLimits): Profile {
  const result = readProfile(bytes, limits);
  if (!result.ok) throw new Error(result.error.message);
  return result.profile;
}

function refusalOf(bytes: Uint8Array, limits: ReadLimits = defaultLimits) {
  const result = readStacks(bytes, limits);
  return result.ok ? "it was read" : result.error;
}

/** Sums by stack, root first, of one sample type. */
function folded(profile: Profile, type: string, frameOf: (name: string, line: number) => string) {
  const { frames, length, start, frame, values } = sumStacks(profile);
  const column = values[profile.sampleTypes.findIndex((each) => each.type === type)]!;
  const sums = new Map<string, number>();
  for (let i = 0; i < length; i++) {
    const path = Array.from(frame.subarray(start[i], start[i + 1]).toReversed(), (each) =>
      frameOf(frames.functionName[each]!, frames.line[each]!),
    ).join(";");
    if (Number(column[i]) !== 0) sums.set(path, (sums.get(path) ?? 0) + Number(column[i]));
  }
  return Object.fromEntries([...sums].sort());
}

const named = (name: string, line: number) => (line === 0 ? name : `${name}:${line}`);

/** As jfrconv names frames: native ones without their library. */
const namedByConverter = (name: string, line: number) =>
  named(name.replace(/^\S*?\.so(?:\.\d+)*\./, ""), line);

/** The sums of another reader. */
function truthOf(file: string, isByConverter: boolean) {
  const hasClass = /\.(alloc|heap_live|lock)/.test(file);
  const sums = new Map<string, number>();
  for (const line of readFileSync(new URL(file, folder), "utf8").trimEnd().split("\n")) {
    const at = line.lastIndexOf(" ");
    const frames = line
      .slice(0, at)
      .split(";")
      .map((frame) =>
        frame
          .replace(/_\[.\]$/, "")
          .replace(/:(-1|0|65535)$/, "")
          .replace(/\$\$Lambda[$/][\d.]*(0x)?[\da-f]+/, "$$$$Lambda_"),
      );
    // The class of the object is the leaf of jfrconv.
    const path = (isByConverter && hasClass ? frames.slice(0, -1) : frames).join(";");
    sums.set(path, (sums.get(path) ?? 0) + Number(line.slice(at + 1)));
  }
  return Object.fromEntries([...sums].sort());
}

describe("recordings", () => {
  const truths = readdirSync(folder).filter((name) => name.endsWith(".folded"));

  it("have several kinds of values", () => {
    expect(truths.length).toBe(15);
  });

  it.each(truths)("%s is what the converter of the profiler reads", (file) => {
    const [name, type] = file.split(".");
    const isByConverter = name !== "jdk25";
    const profile = read(recorded(name!));
    const truth = truthOf(file, isByConverter);
    expect(Object.keys(truth).length).toBeGreaterThan(0);
    expect(folded(profile, type!, isByConverter ? namedByConverter : named)).toEqual(truth);
  });

  it.each([
    [
      "itimer",
      "cpu_samples cpu alloc_in_new_tlab_objects alloc_in_new_tlab_bytes heap_live_samples heap_live_size lock_count lock_time",
    ],
    ["wall", "cpu_samples cpu wall_samples wall malloc_objects malloc_bytes"],
    [
      "jdk25",
      "cpu_samples cpu cpu_time_samples cpu_time alloc_in_new_tlab_objects alloc_in_new_tlab_bytes alloc_outside_tlab_objects alloc_outside_tlab_bytes alloc_sample_objects alloc_sample_bytes lock_count lock_time park_events park_time",
    ],
  ])("%s has times by the interval of its settings", (name, types) => {
    const profile = read(recorded(name));
    expect(profile.sampleTypes.map(({ type }) => type).join(" ")).toBe(types);
    expect(profileTypeOf(profile)).toBe("cpu");
    const totals = profile.samples.values.map((column) => Number(totalOf(column)));
    const total = (type: string) => totals[profile.sampleTypes.findIndex((each) => each.type === type)]!;
    expect(total("cpu")).toBe(total("cpu_samples") * 10_000_000);
    if (name === "wall") expect(total("wall")).toBe(total("wall_samples") * 20_000_000);
    expect([profile.period, profile.periodType.type]).toEqual([10_000_000n, "cpu"]);
    expect(new Date(Number(profile.timeNs / 1_000_000n)).getUTCFullYear()).toBe(2026);
    expect(Number(profile.durationNs) / 1e9).toBeCloseTo({ itimer: 1, wall: 2.5, jdk25: 1.5 }[name]!, 0);
  });

  it("may be several chunks one after the other", () => {
    const [one, two] = [recorded("itimer"), recorded("wall")];
    const both = read(Buffer.concat([one, two, one]));
    const cpu = (profile: Profile) => folded(profile, "cpu", named);
    const sum = (...profiles: Record<string, number>[]) =>
      profiles.flatMap((each) => Object.values(each)).reduce((total, value) => total + value, 0);
    expect(sum(cpu(both))).toBe(2 * sum(cpu(read(one))) + sum(cpu(read(two))));
    expect(both.sampleTypes.map(({ type }) => type)).toEqual(expect.arrayContaining(["wall", "lock_time"]));
  });
});

const sample = (stackTrace: number, more: Record<string, number | bigint> = {}) => ({
  event: "jdk.ExecutionSample",
  stackTrace,
  ...more,
});

describe("a recording that is made", () => {
  const stacks = { 1: ["java/lang/Thread.run:9", "shop/Cart.add:3"], 2: ["shop/Cart.sum"] };

  it.each([true, false])("has numbers that are compressed: %s", (isCompressed) => {
    const events = [sample(1), sample(1), sample(2), { event: "jdk.ThreadPark", stackTrace: 2, duration: 7 }];
    const profile = read(
      recordingOf({ stacks, events, isCompressed, settings: { event: "cpu", interval: "1000" } }),
    );
    expect(folded(profile, "cpu", named)).toEqual({
      "java/lang/Thread.run:9;shop/Cart.add:3": 2000,
      "shop/Cart.sum": 1000,
    });
    expect(folded(profile, "park_time", named)).toEqual({ "shop/Cart.sum": 7 });
  });

  it("has ids of 64 bits", () => {
    const id = 2n ** 64n - 2n;
    const profile = read(
      recordingOf({
        stacks: { [String(id)]: ["a.b"], 1: ["c.d"] },
        events: [sample(id as never), sample(1)],
      }),
    );
    expect(folded(profile, "cpu_samples", named)).toEqual({ "a.b": 1, "c.d": 1 });
  });

  it("has time only where samples are of a clock", () => {
    const types = (settings: Record<string, string>) =>
      read(recordingOf({ stacks, events: [sample(1)], settings })).sampleTypes.map(({ type }) => type);
    expect(types({ event: "cache-misses", interval: "1000" })).toEqual(["cpu_samples"]);
    expect(types({})).toEqual(["cpu_samples"]);
    expect(types({ event: "ctimer", interval: "0" })).toEqual(["cpu_samples", "cpu"]);
  });

  it("in the mode wall has threads that run as CPU, and all as wall time", () => {
    const settings = { event: "wall", interval: "1000" };
    const events = [sample(1, { state: 1 }), sample(2, { state: 2 })];
    const profile = read(
      recordingOf({ stacks, events, settings, states: { 1: "STATE_RUNNABLE", 2: "STATE_SLEEPING" } }),
    );
    expect(Object.values(folded(profile, "cpu", named))).toEqual([1000]);
    expect(Object.values(folded(profile, "wall", named))).toEqual([1000, 1000]);
  });

  it("keeps samples without a stack trace, and marks those whose root is missing", () => {
    const profile = read(recordingOf({ stacks, events: [sample(9), sample(2)], truncated: [2] }));
    expect(folded(profile, "cpu_samples", named)).toEqual({ "": 1, "[truncated];shop/Cart.sum": 1 });
  });

  it("merges classes that the JVM generates", () => {
    const names = [
      "A$$Lambda$12/0x00ff.run",
      "A$$Lambda.0x00007f.run",
      "jdk/internal/reflect/GeneratedMethodAccessor7.invoke",
    ];
    const profile = read(recordingOf({ stacks: { 1: names }, events: [sample(1)] }));
    expect(folded(profile, "cpu_samples", named)).toEqual({
      "A$$Lambda_.run;A$$Lambda_.run;jdk/internal/reflect/GeneratedMethodAccessor_.invoke": 1,
    });
  });

  it("may be followed by the labels of its contexts; labels without a text are left out", () => {
    const labels = Buffer.from([
      ...[0x0a, 16, 0x08, 5, 0x12, 12, 0x0a, 4, 0x08, 1, 0x10, 2, 0x0a, 4, 0x08, 3, 0x10, 9],
      ...[
        0x12,
        8,
        0x08,
        1,
        0x12,
        4,
        ...Buffer.from("path"),
        0x12,
        9,
        0x08,
        2,
        0x12,
        5,
        ...Buffer.from("/cart"),
      ],
      ...[0x12, 8, 0x08, 3, 0x12, 4, ...Buffer.from("span")],
    ]);
    const events = [sample(1, { contextId: 5, spanId: 0xabcdn, spanName: 3 }), sample(1)];
    const { labels: found, strings } = read(Buffer.concat([recordingOf({ stacks, events }), labels]));
    const pairs = Array.from(found.key, (key, i) => [strings[key], strings[found.text[i]!]]);
    expect(pairs).toEqual([
      ["path", "/cart"],
      ["profile_id", "000000000000abcd"],
      ["span_name", "span"],
    ]);
  });

  it("without samples is empty", () => {
    expect(refusalOf(recordingOf({ stacks, events: [] }))).toMatchObject({ code: "empty" });
  });
});

describe("a damaged recording", () => {
  const stacks = { 1: ["shop/Cart.add:3"] };
  const events = [sample(1)];

  it.each([
    [
      "whose constants follow one another in a circle",
      { delta: "circle" as const },
      "do not follow one another",
    ],
    ["whose next constants are elsewhere", { delta: 1_000_000 }, "do not follow one another"],
    [
      "with a class that contains itself",
      { inner: { "jdk.types.Method": "jdk.types.Method" } },
      "contains itself",
    ],
    ["with an event of no size", { eventSize: 0 }, "an event has 0 bytes"],
    ["with an event that is larger than its chunk", { eventSize: 1e6 }, "an event has 1000000 bytes"],
    ["of version 1", { version: 1 }, "version 1"],
    ["that is not finished", { size: 0 }, "not finished"],
    ["whose metadata is not in it", { metadata: 1e9 }, "metadata of a chunk are not in it"],
  ])("%s is refused", (_, fault, message) => {
    expect(refusalOf(recordingOf({ stacks, events, ...fault }))).toMatchObject({
      code: expect.stringMatching(/malformed|invalid/),
      message: expect.stringContaining(message),
    });
  });

  it("names a limit that it exceeds", () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [i + 1, [`shop/Cart.m${i}`]]));
    const bytes = recordingOf({ stacks: many, events: Object.keys(many).map((id) => sample(Number(id))) });
    for (const limit of ["samples", "frames", "locations", "strings", "frameText"] as const)
      expect(refusalOf(bytes, { ...defaultLimits, [limit]: 20 })).toMatchObject({
        code: "too_large",
        field: limit,
      });
  });

  it("is refused with a sentence wherever it is cut off", () => {
    const bytes = recorded("itimer");
    const step = isFullLength ? 7 : 1999;
    for (let length = 4; length < bytes.length; length += step)
      expect(refusalOf(bytes.subarray(0, length))).toMatchObject({
        message: expect.stringMatching(/\w.*\.$/),
      });
  });

  it("is read or refused, whichever bytes are damaged", () => {
    const original = recorded("itimer");
    let seed = 7;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const rounds = isFullLength ? 20_000 : 300;
    let refused = 0;
    let slowestMs = 0;
    for (let round = 0; round < rounds; round++) {
      const bytes = original.slice();
      for (let faults = 1 + random(8); faults > 0; faults--) bytes[random(bytes.length)] = random(256);
      const startedAt = performance.now();
      const result = readProfile(bytes);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      if (!result.ok) refused++;
    }
    console.info(
      `${rounds} damaged recordings: ${refused} refused, the slowest took ${slowestMs.toFixed(0)} ms`,
    );
    expect(refused).toBeGreaterThan(rounds / 100);
  });
});
