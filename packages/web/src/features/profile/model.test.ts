import { type Profile, storedTypeOf } from "@flamekeep/contract";
import { expect, it, test } from "vitest";
import { omissionsOf, readingOf, spacedDuration } from "./model.ts";

test("each omission of a profile has a sentence with its reason", () => {
  expect(omissionsOf({ tags: {}, trimmed: { gauges: 2, depth: 1, labels: 3, other: 2 } })).toEqual([
    "No memory in use: this profile is a difference (?seconds=).",
    "1 stack truncated at the leaf side: too many frames.",
    "3 labels dropped: over the limit per sample.",
    "A limit cut other (2 times).",
  ]);
});

test("dropped tags are named, with the reason", () => {
  const tags = Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`k${i}`, "v"]));
  const full = { tags, trimmed: { tags: 3 }, dropped_tags: ["team", "zone"] };
  expect(omissionsOf(full)).toEqual([
    "3 tags were dropped: a profile can have 32. Dropped: team, zone and 1 more.",
  ]);
  const few = { tags: { region: "eu" }, trimmed: { tags: 1 } };
  expect(omissionsOf({ ...few, dropped_tags: ["__x"] })).toEqual([
    "1 tag was dropped: empty, duplicate or with a reserved name. Dropped: __x.",
  ]);
  expect(omissionsOf(few)).toEqual(["1 tag was dropped: empty, duplicate or with a reserved name."]);
});

test.each([
  ["10s", "10 s"],
  ["1m30s", "1 min 30 s"],
  ["250ms", "250 ms"],
])("a duration of %s is shown as %s", (given, shown) => {
  expect(spacedDuration(given)).toBe(shown);
});

type Type = Profile["display_type"];

function reading(display_type: Type, type: string, unit: string, total: number, duration_ms: number): string {
  return readingOf({
    display_type,
    type: storedTypeOf(display_type),
    sample_types: [{ type, unit, total }],
    statistics: { total_samples: 1, duration_ms },
  });
}

it.each([
  [
    "block",
    reading("block", "delay", "nanoseconds", 978e9, 10_000),
    /^16 min 18 s of waits for channels and locks in all goroutines in 10 s, idle workers included/,
  ],
  [
    "mutex",
    reading("mutex", "delay", "nanoseconds", 1.5e9, 0),
    /^1\.5 s of lock waits in all goroutines since the process started/,
  ],
  ["cpu", reading("cpu", "cpu", "nanoseconds", 3.2e9, 10_000), /^3\.2 s of CPU in 10 s: 0\.32 cores\.$/],
  ["one core", reading("cpu", "cpu", "nanoseconds", 10e9, 10_000), /: 1 core\.$/],
  [
    "goroutine",
    reading("goroutine", "goroutine", "count", 103, 0),
    /^103 goroutines, grouped by where they block or run, not by how long\.$/,
  ],
  ["one goroutine", reading("goroutine", "goroutine", "count", 1, 0), /^1 goroutine, grouped /],
  ["heap", reading("memory", "inuse_space", "bytes", 2 ** 20, 0), /^1 MB in use, /],
  [
    "allocations",
    reading("memory", "alloc_space", "bytes", 2 ** 20, 10_000),
    /^1 MB allocated in 10 s, freed or not, /,
  ],
  [
    "wall",
    reading("wall", "wall", "nanoseconds", 90e9, 10_000),
    /^1 min 30 s of wall time in all threads in 10 s, /,
  ],
  ["custom", reading("custom", "shop/open_carts", "count", 119, 0), /counted by the program/],
])("says what the total of a profile means: %s", (_, sentence, expected) =>
  expect(sentence).toMatch(expected),
);

it("has a sentence for a profile without values", () => {
  expect(readingOf({ display_type: "cpu", type: "cpu", sample_types: [] })).toBe(
    "This profile has no values.",
  );
});

it("has a sentence for every type, with and without a duration", () => {
  const samples: readonly (readonly [Type, string, string])[] = [
    ["cpu", "cpu", "nanoseconds"],
    ["cpu", "samples", "count"],
    ["memory", "inuse_space", "bytes"],
    ["memory", "alloc_space", "bytes"],
    ["goroutine", "goroutine", "count"],
    ["goroutine_leak", "goroutineleak", "count"],
    ["mutex", "delay", "nanoseconds"],
    ["block", "delay", "nanoseconds"],
    ["wall", "wall", "nanoseconds"],
    ["metrics", "requests", "count"],
    ["custom", "shop/open_carts", "count"],
  ];
  expect(
    samples.flatMap((sample) => [reading(...sample, 2e9, 0), reading(...sample, 2e9, 10_000)]),
  ).toMatchInlineSnapshot(`
    [
      "2 s of CPU.",
      "2 s of CPU in 10 s: 0.2 cores.",
      "2000M samples of CPU.",
      "2000M samples of CPU in 10 s.",
      "1.86 GB in use, grouped by where it was allocated.",
      "1.86 GB in use, grouped by where it was allocated.",
      "1.86 GB allocated since the process started, freed or not, grouped by where it was allocated.",
      "1.86 GB allocated in 10 s, freed or not, grouped by where it was allocated.",
      "2000M goroutines, grouped by where they block or run, not by how long.",
      "2000M goroutines, grouped by where they block or run, not by how long.",
      "2000M goroutines blocked forever: nothing can wake them. Grouped by where they block.",
      "2000M goroutines blocked forever: nothing can wake them. Grouped by where they block.",
      "2 s of lock waits in all goroutines since the process started, grouped by the code that held the lock.",
      "2 s of lock waits in all goroutines in 10 s, grouped by the code that held the lock.",
      "2 s of waits for channels and locks in all goroutines since the process started, idle workers included, grouped by the code that waited.",
      "2 s of waits for channels and locks in all goroutines in 10 s, idle workers included, grouped by the code that waited.",
      "2 s of wall time in all threads, working or waiting.",
      "2 s of wall time in all threads in 10 s, working or waiting.",
      "2000M requests in one batch of HTTP metrics.",
      "2000M requests in one batch of HTTP metrics.",
      "2000M open carts, counted by the program, grouped by the code that added them.",
      "2000M open carts, counted by the program, grouped by the code that added them.",
    ]
  `);
});
