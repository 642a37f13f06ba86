import type { ProfileTypeEntry, ReadTotal, SampleTypeEntry } from "./profile-type-entry.ts";

function orSinceStart(over: ReadTotal["over"]): string {
  return over || "since the process started";
}

function withSpace(over: ReadTotal["over"]): string {
  return over && ` ${over}`;
}

/**
 * Every type of profile: what it measures, how it is spelled by profilers, and how texts name it. One more type is one more
 * entry here, a `--type-NAME` in the two themes of the web app's tokens.css, and its tests.
 */
export const profileTypeTable = {
  cpu: {
    label: "CPU",
    name: "CPU",
    profile: "a CPU profile",
    kind: "rate",
    measuredBy: ["cpu/nanoseconds"],
    pyroscope: { name: "process_cpu" },
    alsoHas: ["samples/count"],
    spellings: [
      ["cpu", "time", "cpu cpu_time process_cpu"],
      ["samples", "count", "cpu cpu_samples"],
    ],
    hints: ["cpu", "profile"],
    alerts: [{ sampleType: "cpu/nanoseconds", name: "CPU", kind: "rate", riseMin: 10_000_000 }],
    figures: [
      { field: "cpu_seconds", of: "seconds" },
      { field: "avg_cpu_percent", of: "percent" },
    ],
    advice: "cpu_optimization",
    toSendLess: "Record for a shorter time or with fewer samples a second",
    reading: ({ value, over, cores }) =>
      `${value} of CPU${withSpace(over)}${cores === undefined ? "" : `: ${cores}`}`,
  },
  memory: {
    label: "Memory",
    profile: "a heap profile",
    kind: "counter",
    measuredBy: ["inuse_space/bytes", "space/bytes"],
    pyroscope: { period: "space/bytes" },
    alsoHas: ["alloc_space/bytes", "inuse_objects/count", "alloc_objects/count"],
    spellings: [
      ["alloc_space", "bytes", "alloc_space alloc_size alloc_sample_bytes"],
      ["alloc_objects", "count", "alloc_objects alloc_samples allocs alloc_sample_objects"],
      ["alloc_space", "bytes", "alloc_in_new_tlab_bytes alloc_outside_tlab_bytes", "part"],
      ["alloc_objects", "count", "alloc_in_new_tlab_objects alloc_outside_tlab_objects", "part"],
      ["inuse_space", "bytes", "inuse_space heap_space heap_live_size"],
      ["inuse_objects", "count", "inuse_objects heap_live_samples"],
      [undefined, "bytes", "space malloc_bytes"],
      [undefined, "count", "malloc_objects"],
    ],
    hints: ["heap", "allocs", "memory", "alloc", "inuse", "mem"],
    alerts: [
      { sampleType: "inuse_space/bytes", name: "memory in use", kind: "gauge", riseMin: 1024 * 1024 },
      { sampleType: "space/bytes", kind: "gauge", riseMin: 1024 * 1024 },
      {
        sampleType: "alloc_space/bytes",
        name: "allocated memory",
        kind: "rate",
        riseMin: 1024 * 1024,
        isSecondary: true,
      },
    ],
    figures: [{ field: "memory_bytes", of: "mean" }],
    sample: "object",
    advice: "memory_optimization",
    toSendLess:
      "A heap profile has no length: raise its sampling rate (runtime.MemProfileRate in Go), so that it has fewer stacks",
    reading: ({ sampleType, value, over }) =>
      sampleType.startsWith("inuse")
        ? `${value} in use, grouped by where it was allocated`
        : `${value} allocated ${orSinceStart(over)}, freed or not, grouped by where it was allocated`,
  },
  goroutine: {
    label: "Goroutine",
    profile: "a goroutine profile",
    kind: "gauge",
    measuredBy: ["goroutine/count", "goroutines/count"],
    spellings: [[undefined, "count", "goroutine goroutines"]],
    hints: ["goroutine", "goroutines"],
    alerts: [
      { sampleType: "goroutine/count", name: "goroutines", kind: "gauge", riseMin: 5 },
      { sampleType: "goroutines/count", kind: "gauge", riseMin: 5 },
    ],
    figures: [{ field: "goroutine_count", of: "mean" }],
    isWaiting: true,
    sample: "goroutine",
    advice: "goroutine_optimization",
    toSendLess: "A goroutine profile has no length: it is as large as the program has different stacks",
    reading: ({ value }) => `${value}, grouped by where they block or run, not by how long`,
  },
  goroutine_leak: {
    label: "Leaked goroutines",
    profile: "a profile of leaked goroutines",
    isRare: true,
    kind: "gauge",
    measuredBy: ["goroutineleak/count"],
    pyroscope: { name: "goroutineleak" },
    spellings: [["goroutineleak", "count", "goroutineleak goroutine_leak"]],
    hints: ["goroutineleak"],
    // The garbage collector proves that nothing can wake these goroutines.
    alerts: [
      { sampleType: "goroutineleak/count", name: "goroutines", kind: "gauge", riseMin: 1, isFault: true },
    ],
    isWaiting: true,
    sample: "goroutine",
    advice: "goroutine_optimization",
    toSendLess: "A profile of leaked goroutines has no length: end the leaks",
    reading: ({ value }) => `${value} blocked forever: nothing can wake them. Grouped by where they block`,
  },
  mutex: {
    label: "Mutex",
    profile: "a mutex profile",
    kind: "counter",
    measuredBy: ["delay/nanoseconds"],
    pyroscope: { period: "contentions/count" },
    alsoHas: ["contentions/count"],
    spellings: [
      ["delay", "time", "delay lock_acquire_wait lock_time"],
      ["contentions", "count", "contentions lock_acquire lock_count"],
      [undefined, "time", "lock_release_hold"],
      [undefined, "count", "lock_release"],
    ],
    hints: ["mutex", "lock"],
    alerts: [
      { sampleType: "delay/nanoseconds", name: "waiting for locks", kind: "rate", riseMin: 10_000_000 },
    ],
    figures: [{ field: "mutex_usage", of: "seconds" }],
    isWaiting: true,
    sample: "contention",
    advice: "mutex_optimization",
    toSendLess: "Record for a shorter time, or fewer events (runtime.SetMutexProfileFraction in Go)",
    reading: ({ value, over }) =>
      `${value} of lock waits in all goroutines ${orSinceStart(over)}, grouped by the code that held the lock`,
  },
  block: {
    label: "Block",
    profile: "a block profile",
    kind: "counter",
    measuredBy: ["delay/nanoseconds"],
    pyroscope: { period: "contentions/count" },
    alsoHas: ["contentions/count"],
    // Of threads of Java, whose waiting for monitors is filed under mutex.
    spellings: [
      ["delay", "time", "park_time"],
      ["contentions", "count", "park_events"],
    ],
    hints: ["block"],
    alerts: [{ sampleType: "delay/nanoseconds", name: "blocked time", kind: "rate", riseMin: 10_000_000 }],
    figures: [{ field: "block_usage", of: "seconds" }],
    isWaiting: true,
    sample: "contention",
    advice: "mutex_optimization",
    toSendLess: "Record for a shorter time, or fewer events (runtime.SetBlockProfileRate in Go)",
    reading: ({ value, over }) =>
      `${value} of waits for channels and locks in all goroutines ${orSinceStart(over)}, idle workers included, grouped by the code that waited`,
  },
  custom: {
    label: "Custom",
    profile: "a custom profile",
    measuredBy: [],
    advice: "other",
    toSendLess: "Send less in one profile",
    reading: ({ value }) => `${value}, counted by the program, grouped by the code that added them`,
  },
  metrics: {
    label: "Metrics",
    profile: "a batch of HTTP metrics",
    measuredBy: [],
    reading: ({ value }) => `${value} in one batch of HTTP metrics`,
  },
  wall: {
    label: "Wall time",
    profile: "a wall-clock profile",
    storedAs: "custom",
    isRare: true,
    kind: "rate",
    measuredBy: ["wall/nanoseconds", "wall/microseconds", "wall/milliseconds"],
    spellings: [
      ["wall", "time", "wall wall_time"],
      ["samples", "count", "wall wall_samples"],
    ],
    reading: ({ value, over }) =>
      `${value} of wall time in all threads${withSpace(over)}, working or waiting`,
  },
  off_cpu: {
    label: "Off-CPU time",
    name: "off-CPU time",
    profile: "an off-CPU profile",
    storedAs: "custom",
    isRare: true,
    kind: "rate",
    measuredBy: ["off_cpu/nanoseconds", "off_cpu/microseconds", "off_cpu/milliseconds"],
    spellings: [
      ["off_cpu", "time", "off_cpu offcpu off_cpu_time offcpu_time"],
      ["samples", "count", "off_cpu offcpu off_cpu_samples"],
    ],
    reading: ({ value, over }) =>
      `${value} off the CPU in all threads${withSpace(over)}, grouped by the code that waited`,
  },
} as const satisfies Readonly<Record<string, ProfileTypeEntry>>;

/** Names of sample types, as stored: Go's, where Go has one. */
export const sampleTypeTable: Readonly<Record<string, SampleTypeEntry>> = {
  cpu: {
    label: "CPU time",
    unit: "nanoseconds",
    share: "CPU",
    total: "of CPU time on all cores",
    countedBy: ["samples", "sample"],
  },
  samples: { label: "Samples", unit: "count", share: "CPU" },
  wall: {
    label: "Wall time",
    unit: "nanoseconds",
    share: "wall time",
    total: "of wall time in all threads",
    countedBy: ["samples", "sample"],
  },
  off_cpu: {
    label: "Off-CPU time",
    unit: "nanoseconds",
    share: "off-CPU time",
    total: "off the CPU in all threads",
    countedBy: ["samples", "sample"],
  },
  inuse_space: {
    label: "In-use memory",
    unit: "bytes",
    share: "memory in use",
    total: "in use",
    countedBy: ["inuse_objects"],
  },
  inuse_objects: { label: "In-use objects", unit: "count", share: "objects in use", total: "in use" },
  alloc_space: {
    label: "Allocated memory",
    unit: "bytes",
    share: "allocated memory",
    total: "allocated, freed or not",
    countedBy: ["alloc_objects"],
  },
  alloc_objects: {
    label: "Allocated objects",
    unit: "count",
    share: "allocated objects",
    total: "allocated, freed or not",
  },
  malloc_bytes: {
    label: "Native memory",
    unit: "bytes",
    share: "native memory",
    total: "allocated by malloc, freed or not",
    countedBy: ["malloc_objects"],
  },
  malloc_objects: { label: "Calls of malloc", unit: "count", share: "calls of malloc" },
  space: { label: "space", unit: "bytes", countedBy: ["objects"] },
  goroutine: { label: "Goroutines", unit: "count", share: "goroutines" },
  goroutines: { label: "Goroutines", unit: "count", share: "goroutines" },
  goroutineleak: { label: "Leaked goroutines", unit: "count" },
  delay: {
    label: "Delay",
    unit: "nanoseconds",
    share: "waiting",
    total: "of waits in all goroutines",
    countedBy: ["contentions"],
  },
  contentions: { label: "Contentions", unit: "count", share: "contentions" },
  threadcreate: { label: "Threads created", unit: "count" },
};
