import type { Profile } from "#model/profile.ts";
import type { ValueType } from "#model/stack-table.ts";

/** The types a profile is filed under. */
export const profileTypes = ["cpu", "memory", "goroutine", "mutex", "block", "custom"] as const;
export type ProfileType = (typeof profileTypes)[number];

/** The sample types that measure a type, as `type/unit`: that of Go first, then those of other runtimes. Custom profiles share none. */
export const measuredSampleTypes: Readonly<Record<ProfileType, readonly string[]>> = {
  cpu: ["cpu/nanoseconds"],
  memory: ["inuse_space/bytes", "space/bytes"],
  goroutine: ["goroutine/count", "goroutines/count"],
  mutex: ["delay/nanoseconds"],
  block: ["delay/nanoseconds"],
  custom: [],
};

/** Words in names that senders give: Pyroscope, Parca, net/http/pprof, Datadog, Coroot, file names. */
const hints: readonly (readonly [ProfileType, readonly string[]])[] = [
  ["mutex", ["mutex", "lock"]],
  ["block", ["block"]],
  ["goroutine", ["goroutine", "goroutines", "goroutineleak"]],
  ["memory", ["heap", "allocs", "memory", "alloc", "inuse", "mem"]],
  ["cpu", ["cpu", "profile"]],
];

export function profileTypeOf(
  sampleTypes: readonly ValueType[],
  defaultType = "",
  nameHint = "",
): ProfileType {
  const measured = measurementsOf(sampleTypes, defaultType);
  const hinted = typeOfHint(nameHint);
  if (measured.has("contention")) return hinted === "block" ? "block" : "mutex";
  for (const type of ["goroutine", "cpu", "memory"] as const) if (measured.has(type)) return type;
  return hinted ?? "custom";
}

/** Measurements that sample types identify. Mutex and block profiles both measure contention. */
export type Measurement = "cpu" | "memory" | "goroutine" | "contention" | "wall" | "threadcreate";

/** Everything a profile certainly measures; empty where the names of its sample types leave that open. */
export function measurementsOf(sampleTypes: readonly ValueType[], defaultType = ""): Set<Measurement> {
  const measured = new Set<Measurement>();
  if (isCpu(defaultType.toLowerCase())) measured.add("cpu");
  for (const sampleType of sampleTypes) {
    const name = sampleType.type.toLowerCase();
    if (isCpu(name)) measured.add("cpu");
    else if (name === "contentions" || name === "delay") measured.add("contention");
    else if (isGoroutine(name)) measured.add("goroutine");
    else if (/^(alloc|inuse)[_-]/.test(name) || isNodeHeap(sampleType)) measured.add("memory");
    else if (name === "wall" || name === "threadcreate") measured.add(name);
  }
  return measured;
}

/**
 * Returns the measurements of a profile if none of them belongs to the type that the sender named, else an empty list. A
 * custom profile may hold anything, and sample types that show nothing certain fit every type.
 */
export function contradiction(
  type: ProfileType | Measurement,
  measured: ReadonlySet<Measurement>,
): Measurement[] {
  if (type === "custom") return [];
  const expected = type === "mutex" || type === "block" ? "contention" : type;
  return measured.has(expected) ? [] : [...measured];
}

function typeOfHint(hint: string): ProfileType | undefined {
  const words = hint.toLowerCase().split(/[^a-z]+/);
  for (const [type, hintWords] of hints) if (hintWords.some((word) => words.includes(word))) return type;
  return undefined;
}

function isGoroutine(name: string): boolean {
  return /^goroutines?(leak|_leak)?$/.test(name);
}

function isCpu(name: string): boolean {
  return /(^|[^a-z])cpu([^a-z]|$)/.test(name);
}

/** The name of live objects in Node's heap profiles. */
function isNodeHeap({ type, unit }: ValueType): boolean {
  return type === "space" && unit === "bytes";
}

/** Sample types with the unit count that count events; others, as of pprof.NewProfile, count what exists. */
const events = new Set(
  "samples sample contentions delay threadcreate wall cpu events exceptions count".split(" "),
);

/** Words in names of types that count events (`lock_count`, `alloc-samples`), and in names of types that count what exists. */
const eventWords = new Set(
  "alloc allocs allocation allocations allocated lock locks exception exceptions event events sample samples".split(
    " ",
  ),
);
const liveWords = new Set(["inuse", "live"]);

/** Whether a value describes one moment. Gauges are averaged over time, never summed. */
export function isGauge({ type, unit }: ValueType): boolean {
  const name = type.toLowerCase();
  const words = wordsOf(type);
  if (isGoroutine(name) || words.some((word) => liveWords.has(word))) return true;
  if (name === "space" && unit === "bytes") return true;
  return unit === "count" && !events.has(name) && !words.some((word) => eventWords.has(word));
}

/** `heap-live-size` and `heapLiveSize` are three words, `clock_handles` two; none of them is `lock`. */
function wordsOf(name: string): string[] {
  return name.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
}

/** Whether Go counts a value since the start of the process in snapshots. */
export function isCounter({ type }: ValueType): boolean {
  return type.startsWith("alloc_") || type === "contentions" || type === "delay" || type === "threadcreate";
}

/**
 * Whether a profile holds totals since the start of the process, so that what happened is its difference to the
 * one before: Go gives a duration only where it is over a window. Senders that subtract themselves say so.
 */
export function isCumulative(profile: Pick<Profile, "durationNs" | "sampleTypes">): boolean {
  return profile.durationNs === 0n && profile.sampleTypes.some(isCounter);
}

/**
 * The sample type to show first: the default that the profile declares, for memory the memory in use, else the last one,
 * as in Go. -1 where there are none.
 */
export function defaultSampleType(
  profile: Pick<Profile, "sampleTypes" | "defaultSampleType">,
  type: ProfileType,
): number {
  const names = profile.sampleTypes.map((sampleType) => sampleType.type);
  const declared = profile.defaultSampleType === "" ? -1 : names.indexOf(profile.defaultSampleType);
  if (declared >= 0) return declared;
  const inUse = type === "memory" ? names.indexOf("inuse_space") : -1;
  return inUse >= 0 ? inUse : names.length - 1;
}
