import type { ProfileTypeEntry, SampleTypeEntry } from "./profile-type-entry.ts";
import { profileTypeTable, sampleTypeTable } from "./profile-type-table.ts";

export type { ProfileTypeEntry, TimelineField, WatchedValues } from "./profile-type-entry.ts";

type Table = typeof profileTypeTable;

/** The type for people: a type that is stored as another one has a separate name. */
export type DisplayType = keyof Table;
export const displayTypes = Object.keys(profileTypeTable) as readonly DisplayType[];

/** Display types that are stored as another type. */
export type SeparateType = {
  [Type in DisplayType]: Table[Type] extends { storedAs: string } ? Type : never;
}[DisplayType];
export const separateTypes = displayTypes.filter(isSeparate);

/** As stored and listed: each accepted batch of HTTP metrics is one profile of type metrics. */
export type StoredType = Exclude<DisplayType, SeparateType>;
export const storedTypes = displayTypes.filter((type) => !isSeparate(type)) as readonly StoredType[];

/** The kinds of profile a program can send. */
export type ProfileType = Exclude<StoredType, "metrics">;
export const profileTypes = storedTypes.filter((type) => type !== "metrics");

/** The display types of profiles that have stacks. */
export type GraphType = ProfileType | SeparateType;
export const graphTypes: readonly GraphType[] = [...profileTypes, ...separateTypes];

/** The tabs of a service's page. */
export const profileTabs = ["all", ...graphTypes] as const;
export type ProfileTab = (typeof profileTabs)[number];

/**
 * Other names that senders may use, and the type under which each is stored: Go's profiling endpoints (`/debug/pprof/heap`), and
 * display types.
 */
const aliasesOfGo = {
  heap: "memory",
  allocs: "memory",
  profile: "cpu",
  goroutineleak: "goroutine_leak",
  threadcreate: "custom",
} as const satisfies Readonly<Record<string, ProfileType>>;
export type TypeAlias = keyof typeof aliasesOfGo | SeparateType;
export const typeAliases = {
  ...aliasesOfGo,
  ...Object.fromEntries(separateTypes.map((type) => [type, storedTypeOf(type)])),
} as Readonly<Record<TypeAlias, ProfileType>>;

export function profileTypeEntry(type: DisplayType): ProfileTypeEntry {
  return profileTypeTable[type];
}

/** The category of advice that a type is mainly about. */
export function categoryOf(type: ProfileType): Table[ProfileType]["advice"] {
  return profileTypeTable[type].advice;
}

/** Undefined for text that names no type. */
export function findProfileType(type: string): ProfileTypeEntry | undefined {
  return Object.hasOwn(profileTypeTable, type) ? profileTypeTable[type as DisplayType] : undefined;
}

/** Undefined for sample types that programs define. */
export function findSampleType(name: string): SampleTypeEntry | undefined {
  return Object.hasOwn(sampleTypeTable, name) ? sampleTypeTable[name] : undefined;
}

export function isSeparate(type: string): type is SeparateType {
  return findProfileType(type)?.storedAs !== undefined;
}

/** The type under which a display type is filed. */
export function storedTypeOf<Type extends DisplayType>(
  type: Type,
): Type extends SeparateType ? "custom" : Type;
export function storedTypeOf(type: DisplayType): StoredType {
  return profileTypeEntry(type).storedAs ?? (type as StoredType);
}

/** The name of the sample type that distinguishes a separate type from others that are stored as the same type. */
export function markOf(type: SeparateType): string {
  return profileTypeEntry(type).measuredBy[0]!.split("/")[0]!;
}

/** The sample type to read for a separate type; undefined for others: the main one of the profiles. */
export function namedSampleType(type: DisplayType | undefined): string | undefined {
  return type !== undefined && isSeparate(type) ? markOf(type) : undefined;
}

/** The display type of a profile with these sample types, each by its name alone or as `type/unit`. */
export function displayTypeOf(type: StoredType, sampleTypes: readonly string[]): DisplayType {
  const isMarked = (each: SeparateType) => sampleTypes.some((name) => name.split("/")[0] === markOf(each));
  return separateTypes.find((each) => storedTypeOf(each) === type && isMarked(each)) ?? type;
}

/** The tab of a route's type segment, in lower case; `all` if it is unknown or missing. */
export function profileTabOf(segment: string | undefined): ProfileTab {
  const lower = segment?.toLowerCase();
  return profileTabs.find((tab) => tab === lower) ?? "all";
}
