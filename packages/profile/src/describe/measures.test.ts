import { describe, expect, it } from "vitest";
import type { ValueType } from "#model/stack-table.ts";
import type { Measured } from "./measures.ts";
import {
  defaultSampleType,
  isGauge,
  measuredTypes,
  measuresByType,
  measuresOf,
  profileTypeOf,
} from "./profile-type.ts";

function types(names: string): ValueType[] {
  return names.split(" ").map((name) => {
    const slash = name.lastIndexOf("/");
    return { type: name.slice(0, slash), unit: name.slice(slash + 1) };
  });
}

const cpuPeriod = { periodType: { type: "cpu", unit: "nanoseconds" }, period: 10_000_000n };
/** In the order in which Datadog's profiler for Python declares them. */
const ddtrace =
  "cpu-time/nanoseconds cpu-samples/count wall-time/nanoseconds wall-samples/count exception-samples/count " +
  "lock-acquire-wait/nanoseconds lock-acquire/count lock-release-hold/nanoseconds lock-release/count " +
  "alloc-space/bytes alloc-samples/count heap-space/bytes gpu-time/nanoseconds gpu-samples/count " +
  "gpu-alloc-space/bytes gpu-alloc-samples/count gpu-flops/count gpu-flops-samples/count";

/** By type: the stored names, with the columns and factors of those that are not as sent. */
function stored(names: string, period: Omit<Measured, "sampleTypes"> = {}) {
  const found = [...measuresByType({ sampleTypes: types(names), ...period })];
  return found.map(([type, measures]) => [
    type,
    ...measures.map(({ sampleType, columns, by, per }) => {
      const scale = by === per ? "" : ` x${by}:${per}`;
      return `${columns.join("+")} ${sampleType.type}/${sampleType.unit}${scale}`;
    }),
  ]);
}

describe("the names of Coroot's agents", () => {
  it.each([
    ["/count go:profile_cpu:nanoseconds/nanoseconds", "cpu", "samples/count", "cpu/nanoseconds"],
    ["ebpf:cpu:nanoseconds/nanoseconds", "cpu", "cpu/nanoseconds"],
    ["java:cpu:nanoseconds/nanoseconds", "cpu", "cpu/nanoseconds"],
    ["go:goroutine_goroutine:count/count", "goroutine", "goroutine/count"],
    ["go_runtime:heap_inuse_space:bytes/bytes", "memory", "inuse_space/bytes"],
    ["java:heap_alloc_objects:count/count", "memory", "alloc_objects/count"],
    [
      "go:mutex_contentions:count/count go:mutex_delay:nanoseconds/nanoseconds",
      "mutex",
      "contentions/count",
      "delay/nanoseconds",
    ],
    [
      "go:block_contentions:count/count go:block_delay:nanoseconds/nanoseconds",
      "block",
      "contentions/count",
      "delay/nanoseconds",
    ],
    ["java:lock_delay:nanoseconds/nanoseconds", "mutex", "delay/nanoseconds"],
  ])("%s are those of Go, as %s", (names, type, ...measures) => {
    const sampleTypes = types(names);
    expect(profileTypeOf({ sampleTypes })).toBe(type);
    const found = measuresOf({ sampleTypes }, type as "cpu");
    expect(found.map(({ sampleType }) => `${sampleType.type}/${sampleType.unit}`)).toEqual(measures);
    expect(found.flatMap(({ columns }) => columns)).toEqual(sampleTypes.map((_, index) => index));
  });

  it("are left as they are where the unit is another one", () => {
    const sampleTypes = types("a:block_delay:count/nanoseconds");
    expect(measuresOf({ sampleTypes }, "custom")[0]?.sampleType).toEqual(sampleTypes[0]);
  });

  it("say which values are gauges", () => {
    const gauges = types(
      "go:heap_inuse_space:bytes/bytes go:goroutine_goroutine:count/count go:mutex_contentions:count/count java:heap_alloc_objects:count/count",
    ).map(isGauge);
    expect(gauges).toEqual([true, true, false, false]);
  });
});

describe("the measures of a profile", () => {
  it("are filed under their types, with the names of Go", () => {
    expect(stored(ddtrace)).toEqual([
      ["cpu", "0 cpu/nanoseconds", "1 samples/count"],
      ["memory", "9 alloc_space/bytes", "10 alloc_objects/count", "11 inuse_space/bytes"],
      [
        "mutex",
        "5 delay/nanoseconds",
        "6 contentions/count",
        "7 lock-release-hold/nanoseconds",
        "8 lock-release/count",
      ],
      [
        "custom",
        "4 exception-samples/count",
        "12 gpu-time/nanoseconds",
        "13 gpu-samples/count",
        "14 gpu-alloc-space/bytes",
        "15 gpu-alloc-samples/count",
        "16 gpu-flops/count",
        "17 gpu-flops-samples/count",
        "2 wall/nanoseconds",
        "3 samples/count",
      ],
    ]);
  });

  it.each([
    ["samples/count cpu/nanoseconds", ["cpu", "0 samples/count", "1 cpu/nanoseconds"]],
    ["sample/count CPU/microseconds", ["cpu", "0 samples/count", "1 cpu/nanoseconds x1000:1"]],
    ["cpu/count", ["cpu", "0 samples/count"]],
    [
      "alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes",
      [
        "memory",
        "0 alloc_objects/count",
        "1 alloc_space/bytes",
        "2 inuse_objects/count",
        "3 inuse_space/bytes",
      ],
    ],
    ["objects/count space/bytes", ["memory", "0 objects/count", "1 space/bytes"]],
    ["alloc_in_new_tlab_bytes/bytes", ["memory", "0 alloc_space/bytes"]],
    ["alloc_in_new_tlab_bytes/bytes alloc_outside_tlab_bytes/bytes", ["memory", "0+1 alloc_space/bytes"]],
    [
      "heap-live-samples/count heap-live-size/bytes",
      ["memory", "0 inuse_objects/count", "1 inuse_space/bytes"],
    ],
    ["contentions/count delay/microseconds", ["mutex", "0 contentions/count", "1 delay/nanoseconds x1000:1"]],
    ["goroutine/count", ["goroutine", "0 goroutine/count"]],
    ["sample/count wall/microseconds", ["custom", "0 sample/count", "1 wall/microseconds"]],
    ["shop.open_carts/count", ["custom", "0 shop.open_carts/count"]],
    ["cpu/nanoseconds cpu/nanoseconds", ["cpu", "0 cpu/nanoseconds", "1 cpu/nanoseconds"]],
  ])("of %s", (names, expected) => {
    expect(stored(names)).toEqual([expected]);
  });

  it("give a name once: to the one that was sent with it, else to the first", () => {
    expect(stored("cpu-time/microseconds cpu/nanoseconds")).toEqual([
      ["cpu", "0 cpu-time/microseconds", "1 cpu/nanoseconds"],
    ]);
    expect(stored("cpu/count samples/count")).toEqual([["cpu", "1 samples/count", "0 cpu/count"]]);
    expect(stored("cpu-time/nanoseconds process_cpu/nanoseconds")).toEqual([
      ["cpu", "0 cpu/nanoseconds", "1 process_cpu/nanoseconds"],
    ]);
    const parts = "alloc_in_new_tlab_bytes/bytes alloc_outside_tlab_bytes/bytes";
    expect(stored(`${parts} alloc_space/bytes`)).toEqual([
      [
        "memory",
        "0 alloc_in_new_tlab_bytes/bytes",
        "1 alloc_outside_tlab_bytes/bytes",
        "2 alloc_space/bytes",
      ],
    ]);
    expect(stored(`alloc_space/bytes ${parts}`)).toEqual([
      [
        "memory",
        "0 alloc_space/bytes",
        "1 alloc_in_new_tlab_bytes/bytes",
        "2 alloc_outside_tlab_bytes/bytes",
      ],
    ]);
  });

  it("count samples for CPU and wall time if a profile has both", () => {
    expect(stored("sample/count wall/nanoseconds cpu/nanoseconds")).toEqual([
      ["cpu", "0 samples/count", "2 cpu/nanoseconds"],
      ["custom", "0 sample/count", "1 wall/nanoseconds"],
    ]);
  });

  it("follow from the period: CPU time from samples, and samples from CPU time", () => {
    expect(stored("samples/count", cpuPeriod)).toEqual([
      ["cpu", "0 samples/count", "0 cpu/nanoseconds x10000000:1"],
    ]);
    expect(stored("events/count stack_depth/count", cpuPeriod)).toEqual([
      ["cpu", "0 samples/count", "1 stack_depth/count", "0 cpu/nanoseconds x10000000:1"],
    ]);
    expect(stored("cpu/nanoseconds", cpuPeriod)).toEqual([
      ["cpu", "0 samples/count x1:10000000", "0 cpu/nanoseconds"],
    ]);
    expect(stored("cpu/nanoseconds", { ...cpuPeriod, period: 1n })).toEqual([["cpu", "0 cpu/nanoseconds"]]);
    expect(stored("samples/count")).toEqual([["custom", "0 samples/count"]]);
  });

  it("are identified by the period where the name is anybody's", () => {
    const fgprof = { periodType: { type: "wallclock", unit: "nanoseconds" }, period: 10n };
    expect(stored("samples/count time/nanoseconds", fgprof)).toEqual([
      ["custom", "0 samples/count", "1 wall/nanoseconds"],
    ]);
    expect(stored("samples/count time/nanoseconds")).toEqual([
      ["custom", "0 samples/count", "1 time/nanoseconds"],
    ]);
    const julia = { periodType: { type: "heap", unit: "bytes" }, period: 1n };
    expect(stored("allocs/count size/bytes", julia)).toEqual([
      ["memory", "0 alloc_objects/count", "1 alloc_space/bytes"],
    ]);
  });

  it("are of no type without values, unless the profile has no values at all", () => {
    const sampleTypes = types(
      "cpu-time/nanoseconds alloc-space/bytes heap-space/bytes gpu-flops-samples/count",
    );
    const measured = (...totals: number[]) => measuredTypes({ totals }, measuresByType({ sampleTypes }));
    expect(measured(1, 2, 0, 0)).toEqual(["cpu", "memory"]);
    expect(measured(0, 0, 3, 0)).toEqual(["memory"]);
    expect(measured(0, 0, 0, 0)).toEqual(["cpu", "memory", "custom"]);
    expect(profileTypeOf({ sampleTypes, totals: [0, 0, 3, 0] })).toBe("memory");
  });

  it("are found by the names with which a profile was stored, also before names were unified", () => {
    const profile = { sampleTypes: types("cpu-time/nanoseconds alloc-space/bytes heap-space/bytes") };
    const names = (given: string) =>
      measuresOf(profile, "memory", given.split(" ")).map(({ sampleType, columns }) => [
        sampleType.type,
        columns[0],
      ]);
    expect(names("alloc_space/bytes inuse_space/bytes")).toEqual([
      ["alloc_space", 1],
      ["inuse_space", 2],
    ]);
    expect(names("alloc_space/bytes")).toEqual([["alloc_space", 1]]);
    expect(names("cpu-time/nanoseconds alloc-space/bytes heap-space/bytes")).toEqual([
      ["cpu-time", 0],
      ["alloc-space", 1],
      ["heap-space", 2],
    ]);
  });
});

describe("the sample type to show of several", () => {
  const choose = (names: string, type: "cpu" | "memory" | "custom", totals: number[]) => {
    const sampleTypes = types(names);
    return sampleTypes[defaultSampleType({ sampleTypes, defaultSampleType: "", totals }, type)]?.type;
  };

  it("is never one without values while another has some", () => {
    const heap = "alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes";
    expect(choose(heap, "memory", [1, 20, 0, 0])).toBe("alloc_space");
    expect(choose(heap, "memory", [1, 20, 1, 10])).toBe("inuse_space");
    expect(choose(heap, "memory", [0, 0, 0, 0])).toBe("inuse_space");
    expect(choose("cpu/nanoseconds samples/count", "cpu", [5, 1])).toBe("cpu");
    expect(choose("cpu/nanoseconds samples/count", "cpu", [0, 1])).toBe("samples");
    expect(choose("wall/nanoseconds exception-samples/count", "custom", [5, 1])).toBe("wall");
  });
});

it("memory in use is a gauge in every spelling, and allocation in none", () => {
  const names = types(
    "heap-space/bytes heap_live_size/bytes inuse_space/bytes alloc-space/bytes alloc_size/bytes",
  );
  expect(names.filter(isGauge).map(({ type }) => type)).toEqual([
    "heap-space",
    "heap_live_size",
    "inuse_space",
  ]);
});
