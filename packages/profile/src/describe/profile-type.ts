import {
  isSeparate,
  type ProfileType,
  profileTypeEntry,
  profileTypes,
  separateTypes,
  storedTypeOf,
} from "@flamekeep/contract/profile-types";
import type { Profile, ValueColumn } from "#model/profile.ts";
import type { ValueType } from "#model/stack-table.ts";
import {
  type Family,
  familyOf,
  isSame,
  type Measure,
  type Measured,
  measuresByFamily,
  spellingOf,
  withoutWrapping,
  wordsOf,
} from "./measures.ts";

/** In the order in which types are preferred: an upload that measures several keeps its bytes under the first; `custom` comes after all. */
export const preferredTypes = ["goroutine", "goroutine_leak", "cpu", "memory", "mutex", "block"] as const;

/**
 * The measures of a profile by the type that they are filed under, in the order in which types are preferred. Mutex and block
 * profiles have the same ones, here under mutex except for parking; measures that may be of any type are custom.
 */
export function measuresByType(profile: Measured): ReadonlyMap<ProfileType, readonly Measure[]> {
  const families = measuresByFamily(profile);
  const found = new Map<ProfileType, Measure[]>();
  const add = (type: ProfileType, family: Family | undefined) => {
    const measures = families.get(family) ?? [];
    if (measures.length > 0) found.set(type, [...(found.get(type) ?? []), ...measures]);
  };
  for (const type of preferredTypes) add(type, type === "block" ? "parking" : familyOf(type));
  add("custom", undefined);
  for (const type of separateTypes) add(storedTypeOf(type), familyOf(type));
  return found;
}

/** The type of a profile that its sender did not name. */
export function profileTypeOf(
  profile: Measured & MaybeValues & { readonly defaultSampleType?: string },
  nameHint = "",
): ProfileType {
  const byType = measuresByType(profile);
  const [type] = measuredTypes(profile, byType);
  const hinted = typeOfHint(nameHint) ?? typeOfHint(wrappingsOf(profile));
  if (type === "mutex") return hinted === "block" ? "block" : "mutex";
  if (type !== undefined && type !== "custom") return type;
  if (isCpuName(profile.defaultSampleType ?? "")) return "cpu";
  const isSeparateType = byType
    .get("custom")
    ?.some(({ sampleType }) => isSeparate(spellingOf(sampleType)?.family ?? ""));
  return isSeparateType || byType.size > 1 ? "custom" : (hinted ?? "custom");
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
  const other = type === "block" ? byType.get("mutex") : undefined;
  const ofType = byType.get(type) ?? other ?? byType.get("custom") ?? asSent;
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
  if (isCpuName(profile.defaultSampleType ?? "")) measured.add("cpu");
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
  const isMeasured = measured.has(familyOf(type)) || (type === "block" && measured.has("parking"));
  return isMeasured ? [] : [...measured];
}

function typeOfHint(hint: string): ProfileType | undefined {
  const words = hint.toLowerCase().split(/[^a-z]+/);
  const isHinted = (type: ProfileType) => profileTypeEntry(type).hints?.some((word) => words.includes(word));
  // `mutex_profile` and `block-store.mutex` are mutex profiles.
  return (["mutex", ...profileTypes.toReversed()] as const).find(isHinted);
}

/** Only the names that Coroot's agents wrap tell a mutex profile from a block profile. */
function wrappingsOf({ sampleTypes }: Measured): string {
  const wrapped = sampleTypes.filter((sampleType) => !isSame(withoutWrapping(sampleType), sampleType));
  return wrapped.map(({ type }) => type).join(" ");
}

function isCpuName(type: string): boolean {
  return spellingOf({ type, unit: "nanoseconds" })?.family === "cpu";
}

/** Sample types with the unit count that count events; others, as of pprof.NewProfile, count what exists. */
const events = new Set(
  "samples sample contentions delay threadcreate wall cpu events exceptions count calls".split(" "),
);

/** Words in names of types that count events (`lock_count`, `alloc-samples`), and in names of types that count what exists. */
const eventWords = new Set(
  "alloc allocs allocation allocations allocated lock locks malloc exception exceptions event events sample samples".split(
    " ",
  ),
);
/** Percentiles and extremes are gauges too, whatever their unit: their sum means nothing. */
const gaugeWords = new Set(["inuse", "live", "p50", "p90", "p95", "p99", "max"]);

/** Whether a value describes one moment. Gauges are averaged over time, never summed. */
export function isGauge(sent: ValueType): boolean {
  const sampleType = withoutWrapping(sent);
  const { type, unit } = sampleType;
  const words = wordsOf(type);
  const spelling = spellingOf(sampleType);
  if (
    spelling?.family === "goroutine" ||
    spelling?.family === "goroutine_leak" ||
    spelling?.name?.startsWith("inuse_")
  )
    return true;
  if (words.some((word) => gaugeWords.has(word)) || (type === "space" && unit === "bytes")) return true;
  return unit === "count" && !events.has(type.toLowerCase()) && !words.some((word) => eventWords.has(word));
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

/** The sample types to show first, the best one first; of custom profiles, those of the types that are stored as custom. */
function mainSampleTypes(type: ProfileType): readonly string[] {
  const separate = separateTypes.filter((each) => storedTypeOf(each) === type);
  return [type, ...separate].flatMap((each) => {
    const { measuredBy, alsoHas = [] } = profileTypeEntry(each);
    return [...measuredBy, ...alsoHas];
  });
}

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
    ...mainSampleTypes(type).map((name) => names.indexOf(name)),
    ...names.map((_, index) => names.length - 1 - index),
  ].filter((index) => index >= 0);
  return preferred.find((index) => hasValues(profile, index)) ?? preferred[0] ?? -1;
}
