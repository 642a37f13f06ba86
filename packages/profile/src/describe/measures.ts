import {
  type GraphType,
  graphTypes,
  profileTypeEntry,
  separateTypes,
} from "@flamekeep/contract/profile-types";
import type { Profile } from "#model/profile.ts";
import type { ValueType } from "#model/stack-table.ts";
import { nanosecondsPer } from "#model/units.ts";

/**
 * The measures of a profile, by its sample types. Profilers spell the same measure differently (`cpu`, `cpu-time`, `CPU`), and some send
 * the measures of several types in one file. A measure is stored under one name, Go's if it has one, so that timelines, alerts
 * and comparisons have to know only that:
 *
 * ```
 * cpu-samples  cpu-time  alloc-samples  alloc-space  heap-space  wall-time   as sent
 *     |           |            |             |           |           |
 *  samples       cpu     alloc_objects  alloc_space  inuse_space   wall      as stored
 *  '---- cpu ----'       '--------------- memory --------------'  custom     type
 * ```
 */

/** A column of a type: a sum of columns of the profile, times `by`, divided by `per`. */
export interface Measure {
  readonly sampleType: ValueType;
  readonly columns: readonly number[];
  readonly by: bigint;
  readonly per: bigint;
}

/** Mutex and block profiles have the same measures; parking is what only block profiles have: see `spellings` of the table. */
export type Family = Exclude<GraphType, "mutex" | "block" | "custom"> | "contention" | "parking";

export function familyOf<Type extends string>(type: Type): Exclude<Type, "mutex" | "block"> | "contention" {
  return type === "mutex" || type === "block" ? "contention" : (type as Exclude<Type, "mutex" | "block">);
}

/** The parts of a header that say what a profile measures. Without a period nothing is derived from it. */
export type Measured = Pick<Profile, "sampleTypes"> & Partial<Pick<Profile, "periodType" | "period">>;

interface Spelling {
  readonly family: Family;
  /** As stored; undefined: as sent. */
  readonly name: string | undefined;
  /** If a profile has several of these, they are parts of one measure. */
  readonly isPart: boolean;
}

/** By name (in lower case, with underscores) and unit; `time` is any unit of time. */
const spellings: Readonly<Record<string, Spelling>> = Object.fromEntries(
  graphTypes.flatMap((type) =>
    (profileTypeEntry(type).spellings ?? []).flatMap(([name, unit, sent, part]) => {
      const family: Family = type === "block" ? "parking" : (familyOf(type) as Family);
      const spelling = { family, name, isPart: part !== undefined };
      return sent.split(" ").map((each) => [`${each}/${unit}`, spelling]);
    }),
  ),
);

/** `CPU`, `cpu-time` and `heapLiveSize` as `cpu`, `cpu_time` and `heap_live_size`. */
function plainName(name: string): string {
  return name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")
    .replaceAll(/[^a-zA-Z0-9]+/g, "_")
    .toLowerCase();
}

/** `heap-live-size` and `heapLiveSize` are three words, `clock_handles` two; none of them is `lock`. */
export function wordsOf(name: string): string[] {
  return plainName(name).split("_");
}

function isTime(unit: string): boolean {
  return Object.hasOwn(nanosecondsPer, unit);
}

/** Names that others use for anything, identified by the period: in fgprof, in Julia, and for live objects in Java. */
const spellingsOfPeriods: Readonly<Record<string, Spelling>> = {
  "wallclock time/time": { family: "wall", name: "wall", isPart: false },
  "heap size/bytes": { family: "memory", name: "alloc_space", isPart: false },
  "cpu stack_depth/count": { family: "cpu", name: undefined, isPart: false },
  "objects live/count": { family: "memory", name: "inuse_objects", isPart: false },
};

/**
 * `go:heap_inuse_space:bytes` as `inuse_space`: Coroot's agents add the runtime, the kind of profile and the unit to names, and
 * leave the number of CPU samples without one (coroot-cluster-agent, profiles/profiles.go). Other names are as they are.
 */
export function withoutWrapping({ type, unit }: ValueType): ValueType {
  if (type === "" && unit === "count") return { type: "samples", unit };
  const [, name, wrappedUnit] =
    /^\w+:(?:(?:profile|heap|goroutine|mutex|block|lock)_)?(\w+):(\w+)$/.exec(type) ?? [];
  return name !== undefined && wrappedUnit === unit ? { type: name, unit } : { type, unit };
}

/** Undefined for a sample type that may be of any type. */
export function spellingOf({ type, unit }: ValueType, periodType?: ValueType): Spelling | undefined {
  const name = plainName(type);
  const key = `${name}/${isTime(unit) ? "time" : unit}`;
  if (Object.hasOwn(spellings, key)) return spellings[key];
  const keyOfPeriod = `${periodType?.type} ${key}`;
  if (Object.hasOwn(spellingsOfPeriods, keyOfPeriod)) return spellingsOfPeriods[keyOfPeriod];
  if (wordsOf(type).includes("cpu"))
    return { family: "cpu", name: isTime(unit) ? "cpu" : undefined, isPart: false };
  const isHeap = /^(alloc|inuse)_/.test(name);
  return isHeap ? { family: "memory", name: undefined, isPart: false } : undefined;
}

function isCpuTime(valueType: ValueType | undefined): valueType is ValueType {
  return valueType !== undefined && isTime(valueType.unit) && spellingOf(valueType)?.family === "cpu";
}

/** Nanoseconds of CPU time between two samples; 0 if that is unknown. A period of 1 is the unit of the values. */
function cpuPeriodNs({ periodType, period = 0n }: Measured): bigint {
  return isCpuTime(periodType) && period > 1n ? period * nanosecondsPer[periodType.unit] : 0n;
}

/** Whether the sample type counts the samples of whatever else the profile measures. */
function countsSamples({ type, unit }: ValueType, periodNs: bigint): boolean {
  if (unit !== "count") return false;
  return type === "samples" || type === "sample" || (type === "events" && periodNs > 0n);
}

/** The measures of each family, and the measures of none, in the order of the profile. `objects` are counted with `space`. */
export function measuresByFamily(profile: Measured): Map<Family | undefined, Measure[]> {
  const sampleTypes = profile.sampleTypes.map(withoutWrapping);
  const periodNs = cpuPeriodNs(profile);
  const found = new Map<Family | undefined, Measure[]>();
  const counts: number[] = [];
  const objects: number[] = [];
  for (const [index, sampleType] of sampleTypes.entries()) {
    if (countsSamples(sampleType, periodNs)) counts.push(index);
    else if (sampleType.type === "objects" && sampleType.unit === "count") objects.push(index);
    else add(found, index, { ...profile, sampleTypes });
  }
  for (const index of objects.reverse())
    addFirst(found, found.has("memory") ? "memory" : undefined, sampleTypes[index], index);
  for (const index of counts.reverse()) addCounts(found, index, sampleTypes, periodNs);
  deriveFromPeriod(found, periodNs);
  return found;
}

function add(
  found: Map<Family | undefined, Measure[]>,
  index: number,
  { sampleTypes, periodType }: Measured,
) {
  const sent = sampleTypes[index];
  const { family, name, isPart } = spellingOf(sent, periodType) ?? {};
  const list = found.get(family) ?? [];
  found.set(family, list);
  const isConverted =
    isTime(sent.unit) && (family === "cpu" || family === "contention" || family === "parking");
  const stored = { type: name ?? sent.type, unit: isConverted ? "nanoseconds" : sent.unit };
  const place = list.findIndex(({ sampleType }) => isSame(sampleType, stored));
  const by = isConverted ? nanosecondsPer[sent.unit] : 1n;
  if (isOfAnother(stored, sent, sampleTypes))
    list.push({ sampleType: sent, columns: [index], by: 1n, per: 1n });
  else if (place === -1) list.push({ sampleType: stored, columns: [index], by, per: 1n });
  else if (isPart === true) list[place] = { ...list[place], columns: [...list[place].columns, index] };
  else list.push({ sampleType: sent, columns: [index], by: 1n, per: 1n });
}

/** Whether another column of the family was sent with the name: it keeps it, because values of one name are summed in timelines. */
function isOfAnother(name: ValueType, sent: ValueType, sampleTypes: readonly ValueType[]): boolean {
  if (isSame(name, sent)) return false;
  const family = spellingOf(sent)?.family;
  return sampleTypes.some((other) => isSame(other, name) && (spellingOf(other)?.family ?? family) === family);
}

export function isSame(a: ValueType, b: ValueType): boolean {
  return a.type === b.type && a.unit === b.unit;
}

function addFirst(
  found: Map<Family | undefined, Measure[]>,
  family: Family | undefined,
  sampleType: ValueType,
  index: number,
) {
  found.set(family, [{ sampleType, columns: [index], by: 1n, per: 1n }, ...(found.get(family) ?? [])]);
}

/** Samples are of CPU, of wall time and the like, whichever the profile has. */
function addCounts(
  found: Map<Family | undefined, Measure[]>,
  index: number,
  sampleTypes: readonly ValueType[],
  periodNs: bigint,
) {
  const sent = sampleTypes[index];
  const separate = separateTypes.filter((type) => found.has(type));
  const isOfCpu = found.has("cpu") || (periodNs > 0n && separate.length === 0);
  if (isOfCpu) {
    const name = { type: "samples", unit: "count" };
    const isCounted = found.get("cpu")?.some(({ sampleType }) => sampleType.type === "samples");
    addFirst(found, "cpu", isCounted || isOfAnother(name, sent, sampleTypes) ? sent : name, index);
  }
  for (const type of separate) addFirst(found, type, sent, index);
  if (!isOfCpu && separate.length === 0) addFirst(found, undefined, sent, index);
}

/** CPU time is the number of samples times the period, and the other way round. */
function deriveFromPeriod(found: Map<Family | undefined, Measure[]>, periodNs: bigint): void {
  const cpu = found.get("cpu");
  if (cpu === undefined || periodNs === 0n) return;
  const times = cpu.filter(({ sampleType }) => sampleType.unit === "nanoseconds");
  const counts = cpu.filter(({ sampleType }) => sampleType.unit === "count");
  const [time] = times;
  const samples = counts.find(({ sampleType }) => sampleType.type === "samples");
  if (time === undefined && samples !== undefined)
    cpu.push({ ...samples, sampleType: { type: "cpu", unit: "nanoseconds" }, by: periodNs });
  else if (time !== undefined && times.length === 1 && counts.length === 0)
    cpu.unshift({ ...time, sampleType: { type: "samples", unit: "count" }, per: periodNs });
}
