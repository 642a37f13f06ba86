import type { Profile, ValueColumn } from "#model/profile.ts";
import type { ValueType } from "#model/stack-table.ts";
import { type Family, type Measure, type Measured, measuresByFamily, spellingOf } from "./measures.ts";

/** The types a profile is filed under. */
export const profileTypes = [
  "cpu",
  "memory",
  "goroutine",
  "goroutine_leak",
  "mutex",
  "block",
  "custom",
] as const;
export type ProfileType = (typeof profileTypes)[number];

/** The sample types that measure a type, as `type/unit`: Go's first, then the types of other runtimes. Custom profiles share none. */
export const measuredSampleTypes: Readonly<Record<ProfileType, readonly string[]>> = {
  cpu: ["cpu/nanoseconds"],
  memory: ["inuse_space/bytes", "space/bytes"],
  goroutine: ["goroutine/count", "goroutines/count"],
  goroutine_leak: ["goroutineleak/count"],
  mutex: ["delay/nanoseconds"],
  block: ["delay/nanoseconds"],
  custom: [],
};

/** Words in names that senders give: Pyroscope, Parca, net/http/pprof, Datadog, Coroot, file names. */
const hints: readonly (readonly [ProfileType, readonly string[]])[] = [
  ["mutex", ["mutex", "lock"]],
  ["block", ["block"]],
  ["goroutine_leak", ["goroutineleak"]],
  ["goroutine", ["goroutine", "goroutines"]],
  ["memory", ["heap", "allocs", "memory", "alloc", "inuse", "mem"]],
  ["cpu", ["cpu", "profile"]],
];

/**
 * The measures of a profile by the type that they are filed under, in the order in which types are preferred. Mutex and block
 * profiles have the same ones, here under mutex; measures that may be of any type are custom.
 */
export function measuresByType(profile: Measured): ReadonlyMap<ProfileType, readonly Measure[]> {
  const families = measuresByFamily(profile);
  const ofType: readonly (readonly [ProfileType, readonly Measure[]])[] = [
    ["goroutine", families.get("goroutine") ?? []],
    ["goroutine_leak", families.get("goroutine_leak") ?? []],
    ["cpu", families.get("cpu") ?? []],
    ["memory", families.get("memory") ?? []],
    ["mutex", families.get("contention") ?? []],
    ["custom", [...(families.get(undefined) ?? []), ...(families.get("wall") ?? [])]],
  ];
  return new Map(ofType.filter(([, measures]) => measures.length > 0));
}

/** The type of a profile that its sender did not name. */
export function profileTypeOf(
  profile: Measured & MaybeValues & { readonly defaultSampleType?: string },
  nameHint = "",
): ProfileType {
  const byType = measuresByType(profile);
  const [type] = measuredTypes(profile, byType);
  const hinted = typeOfHint(nameHint);
  if (type === "mutex") return hinted === "block" ? "block" : "mutex";
  if (type !== undefined && type !== "custom") return type;
  if (hasCpuWord(profile.defaultSampleType ?? "")) return "cpu";
  const isWall = byType.get("custom")?.some(({ sampleType }) => spellingOf(sampleType)?.family === "wall");
  return isWall || byType.size > 1 ? "custom" : (hinted ?? "custom");
}

/** The types that a profile has values for; all of its types if it has no values. */
export function measuredTypes(
  profile: MaybeValues,
  byType: ReadonlyMap<ProfileType, readonly Measure[]>,
): ProfileType[] {
  const types = [...byType.keys()];
  const withValues = types.filter((type) => measuresWithValues(profile, byType.get(type)!).length > 0);
  return withValues.length > 0 ? withValues : types;
}

export function measuresWithValues(profile: MaybeValues, measures: readonly Measure[]): Measure[] {
  return measures.filter(({ columns }) => columns.some((column) => hasValues(profile, column)));
}

/**
 * The measures that a profile has as one of a type. Where nothing says what a profile measures, every type has all of it.
 *
 * @param stored `type/unit` of the sample types with which it was stored: profiles of earlier versions have the names of their senders
 */
export function measuresOf(
  profile: Measured,
  type: ProfileType,
  stored?: readonly string[],
): readonly Measure[] {
  const { sampleTypes } = profile;
  const asSent = sampleTypes.map((sampleType, index) => ({ sampleType, columns: [index], by: 1n, per: 1n }));
  const byType = measuresByType(profile);
  const ofType = byType.get(type === "block" ? "mutex" : type) ?? byType.get("custom") ?? asSent;
  if (stored === undefined) return ofType;
  const unused = asSent.map(nameOf).join() === stored.join() ? asSent : [...ofType, ...asSent];
  return stored.flatMap((name) => {
    const place = unused.findIndex((measure) => nameOf(measure) === name);
    return place === -1 ? [] : unused.splice(place, 1);
  });
}

function nameOf({ sampleType }: Measure): string {
  return `${sampleType.type}/${sampleType.unit}`;
}

/** The values of a profile in one of its forms, if they are known. */
export interface MaybeValues {
  readonly totals?: readonly (number | bigint)[];
  readonly stacks?: { readonly values: readonly ValueColumn[] };
  readonly samples?: { readonly values: readonly ValueColumn[] };
}

/** Whether a column has a value other than 0; true if values are not known. */
function hasValues({ totals, stacks, samples }: MaybeValues, column: number): boolean {
  if (totals !== undefined) return Number(totals[column] ?? 0) !== 0;
  const values = (stacks ?? samples)?.values[column];
  if (values === undefined) return true;
  for (let i = 0; i < values.length; i++) if (values[i] !== 0 && values[i] !== 0n) return true;
  return false;
}

/** Measurements that sample types identify. Mutex and block profiles both measure contention. */
export type Measurement = Family | "threadcreate";

/** Everything a profile certainly measures; empty where the names of its sample types leave that open. */
export function measurementsOf(
  profile: Measured & { readonly defaultSampleType?: string },
): Set<Measurement> {
  const measured = new Set<Measurement>();
  if (hasCpuWord(profile.defaultSampleType ?? "")) measured.add("cpu");
  for (const family of measuresByFamily(profile).keys()) if (family !== undefined) measured.add(family);
  if (profile.sampleTypes.some(({ type }) => type.toLowerCase() === "threadcreate"))
    measured.add("threadcreate");
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

function hasCpuWord(name: string): boolean {
  return /(^|[^a-z])cpu([^a-z]|$)/i.test(name);
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
export function isGauge(sampleType: ValueType): boolean {
  const { type, unit } = sampleType;
  const words = wordsOf(type);
  const spelling = spellingOf(sampleType);
  if (
    spelling?.family === "goroutine" ||
    spelling?.family === "goroutine_leak" ||
    spelling?.name?.startsWith("inuse_")
  )
    return true;
  if (words.some((word) => liveWords.has(word)) || (type === "space" && unit === "bytes")) return true;
  return unit === "count" && !events.has(type.toLowerCase()) && !words.some((word) => eventWords.has(word));
}

/** `heap-live-size` and `heapLiveSize` are three words, `clock_handles` two; none of them is `lock`. */
function wordsOf(name: string): string[] {
  return name.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
}

/** In snapshots of Go, these values count since the start of the process. Other profilers have other names. */
const counters = new Set("alloc_objects alloc_space contentions delay threadcreate".split(" "));

export function isCounter({ type }: ValueType): boolean {
  return counters.has(type);
}

/**
 * Whether a profile holds totals since the start of the process, so that what happened is its difference to the
 * one before: Go gives a duration only where it is over a window. Senders that subtract themselves say so.
 */
export function isCumulative(profile: Pick<Profile, "durationNs" | "sampleTypes">): boolean {
  return profile.durationNs === 0n && profile.sampleTypes.some(isCounter);
}

/** The sample types to show first of each type, the best one first. */
const mainSampleTypes: Readonly<Record<ProfileType, readonly string[]>> = {
  cpu: [...measuredSampleTypes.cpu, "samples/count"],
  memory: [...measuredSampleTypes.memory, "alloc_space/bytes", "inuse_objects/count", "alloc_objects/count"],
  goroutine: measuredSampleTypes.goroutine,
  goroutine_leak: measuredSampleTypes.goroutine_leak,
  mutex: [...measuredSampleTypes.mutex, "contentions/count"],
  block: [...measuredSampleTypes.block, "contentions/count"],
  custom: ["wall/nanoseconds", "wall/microseconds"],
};

/**
 * The sample type to show first: the default that the profile declares, else the main one of the type, else the last one, as in
 * Go. One without values is chosen only if none has any. -1 where there are none.
 */
export function defaultSampleType(
  profile: Pick<Profile, "sampleTypes" | "defaultSampleType"> & MaybeValues,
  type: ProfileType,
): number {
  const { sampleTypes, defaultSampleType: declared } = profile;
  const names = sampleTypes.map((sampleType) => `${sampleType.type}/${sampleType.unit}`);
  const preferred = [
    declared === "" ? -1 : sampleTypes.findIndex((sampleType) => sampleType.type === declared),
    ...mainSampleTypes[type].map((name) => names.indexOf(name)),
    ...names.map((_, index) => names.length - 1 - index),
  ].filter((index) => index >= 0);
  return preferred.find((index) => hasValues(profile, index)) ?? preferred[0] ?? -1;
}
