import { type Profile, storedTypeOf } from "@flamekeep/contract";
import { expect, it, test } from "vitest";
import { omissionsOf, readingOf, spacedDuration } from "./model.ts";

test("each omission of a profile has a sentence with its reason", () => {
  expect(omissionsOf({ tags: {}, trimmed: { gauges: 2, depth: 1, labels: 3, other: 2 } })).toEqual([
    "Memory in use is left out, because this profile is a difference (?seconds=).",
    "1 stack had too many frames; the leaf side was cut.",
    "3 labels beyond the limit of a sample left out.",
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
    "1 tag was dropped: empty, repeated or with a reserved name. Dropped: __x.",
  ]);
  expect(omissionsOf(few)).toEqual(["1 tag was dropped: empty, repeated or with a reserved name."]);
});

test.each([
  ["10s", "10 s"],
  ["1m30s", "1 m 30 s"],
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
    /16 m 18 s is the waiting of all goroutines together in 10 s, idle workers included\.$/,
  ],
  ["mutex", reading("mutex", "delay", "nanoseconds", 1.5e9, 0), /1\.5 s is .* since the process started\.$/],
  [
    "cpu",
    reading("cpu", "cpu", "nanoseconds", 3.2e9, 10_000),
    /: 3\.2 s in 10 s is 0\.32 cores on average\.$/,
  ],
  ["one core", reading("cpu", "cpu", "nanoseconds", 10e9, 10_000), / is 1 core on average\.$/],
  ["goroutine", reading("goroutine", "goroutine", "count", 103, 0), /: 103 goroutines\. How long/],
  ["one goroutine", reading("goroutine", "goroutine", "count", 1, 0), /: 1 goroutine\. How long/],
  [
    "heap",
    reading("memory", "inuse_space", "bytes", 2 ** 20, 0),
    /^Memory in use, .*: 1 MB at this moment\.$/,
  ],
  [
    "allocations",
    reading("memory", "alloc_space", "bytes", 2 ** 20, 10_000),
    /freed since or not: 1 MB in 10 s\.$/,
  ],
  [
    "wall",
    reading("wall", "wall", "nanoseconds", 90e9, 10_000),
    /: 1 m 30 s of all threads together in 10 s\.$/,
  ],
  ["custom", reading("custom", "shop/open_carts", "count", 119, 0), /that the program itself counts/],
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
      "CPU use by the code that caused it: 2 s.",
      "CPU time by the code that used it: 2 s in 10 s is 0.2 cores on average.",
      "CPU use by the code that caused it: 2000M samples.",
      "CPU use by the code that caused it: 2000M samples in 10 s.",
      "Memory in use, by the code that allocated it: 1.86 GB at this moment.",
      "Memory in use, by the code that allocated it: 1.86 GB at this moment.",
      "Memory by the code that allocated it, freed since or not: 1.86 GB since the process started.",
      "Memory by the code that allocated it, freed since or not: 1.86 GB in 10 s.",
      "Goroutines that existed at this moment, by where each one waits or runs: 2000M goroutines. How long they have waited is not recorded.",
      "Goroutines that existed at this moment, by where each one waits or runs: 2000M goroutines. How long they have waited is not recorded.",
      "Goroutines that are blocked for ever, because nothing can wake them any more, by where each one waits: 2000M goroutines.",
      "Goroutines that are blocked for ever, because nothing can wake them any more, by where each one waits: 2000M goroutines.",
      "Waiting for locks, by the code that held them: 2 s is the waiting of all goroutines together since the process started.",
      "Waiting for locks, by the code that held them: 2 s is the waiting of all goroutines together in 10 s.",
      "Waiting for channels, locks and each other, by the code that waited: 2 s is the waiting of all goroutines together since the process started, idle workers included.",
      "Waiting for channels, locks and each other, by the code that waited: 2 s is the waiting of all goroutines together in 10 s, idle workers included.",
      "Time that passed, working or waiting, by the code that ran: 2 s of all threads together.",
      "Time that passed, working or waiting, by the code that ran: 2 s of all threads together in 10 s.",
      "A batch of HTTP requests: 2000M requests.",
      "A batch of HTTP requests: 2000M requests.",
      "Values that the program itself counts, by the code that added them: 2000M open carts.",
      "Values that the program itself counts, by the code that added them: 2000M open carts.",
    ]
  `);
});
