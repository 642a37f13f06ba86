import { expect, it } from "vitest";
import { profileTypeLabel, profileTypeName } from "./names.ts";
import { mainSample, sampleTypeLabel } from "./sample-value.ts";

const types = "cpu memory goroutine goroutine_leak mutex block custom metrics wall".split(" ");
const sampleTypes =
  "cpu samples sample wall inuse_space inuse_objects alloc_space alloc_objects space objects goroutine goroutines goroutineleak contentions delay threadcreate open_carts".split(
    " ",
  );

it("names the types of profiles", () => {
  expect(
    ["all", ...types, "heap"].map((type) => `${profileTypeLabel(type)}, ${profileTypeName(type)}`),
  ).toMatchInlineSnapshot(`
    [
      "All, all",
      "CPU, CPU",
      "Memory, memory",
      "Goroutine, goroutine",
      "Leaked goroutines, leaked goroutines",
      "Mutex, mutex",
      "Block, block",
      "Custom, custom",
      "Metrics, metrics",
      "Wall time, wall time",
      "Heap, heap",
    ]
  `);
});

it("names the sample types", () => {
  expect(sampleTypes.map((type) => `${type}: ${sampleTypeLabel(type)}`)).toMatchInlineSnapshot(`
    [
      "cpu: CPU time",
      "samples: Samples",
      "sample: sample",
      "wall: Wall time",
      "inuse_space: In-use memory",
      "inuse_objects: In-use objects",
      "alloc_space: Allocated memory",
      "alloc_objects: Allocated objects",
      "space: space",
      "objects: objects",
      "goroutine: Goroutines",
      "goroutines: Goroutines",
      "goroutineleak: Leaked goroutines",
      "contentions: Contentions",
      "delay: Delay",
      "threadcreate: Threads created",
      "open_carts: open_carts",
    ]
  `);
});

it("shows the main sample type of a profile in lists", () => {
  const totals = sampleTypes.map((type) => ({ type, unit: "count", total: 1 }));
  expect(
    types.map((type) => {
      const some = totals.filter((each) => each.type !== mainSample(type, totals)?.type);
      return `${type}: ${mainSample(type, totals)?.type}, ${mainSample(type, some)?.type}`;
    }),
  ).toMatchInlineSnapshot(`
    [
      "cpu: cpu, samples",
      "memory: inuse_space, space",
      "goroutine: goroutine, goroutines",
      "goroutine_leak: goroutineleak, open_carts",
      "mutex: delay, contentions",
      "block: delay, contentions",
      "custom: open_carts, threadcreate",
      "metrics: open_carts, threadcreate",
      "wall: wall, open_carts",
    ]
  `);
});
