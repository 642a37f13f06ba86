import {
  type DisplayType,
  isSeparate,
  markOf,
  type SeparateType,
  separateTypes,
  storedTypeOf,
} from "@flamekeep/contract";
import { z } from "zod";
import type { ColumnStore } from "#store/column/column-store.ts";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";

// Profiles of separate types, such as wall-clock profiles, are stored as custom ones: one of their sample types is their mark.

const marks = "arrayMap(name -> substringIndex(name, '/', 1), sample_types)";

/** The condition of a `TypeFilter` without its type. */
export const hasMarks = `(empty({marks:Array(String)}) OR hasAny(${marks}, {marks:Array(String)}))
          AND (empty({otherMarks:Array(String)}) OR NOT hasAny(${marks}, {otherMarks:Array(String)}))`;

/** The mark of a custom profile; empty if it has none. */
export const markColumn = `if(type = 'custom', arrayFirst(mark -> has(${marks}, mark), {allMarks:Array(String)}), '')`;
export const allMarks = separateTypes.map(markOf);

/** Selects profiles. Empty lists do not limit them. */
export const TypeFilter = z.object({
  /** Empty means all. */
  type: z.string(),
  /** One of these sample types. */
  marks: z.array(z.string()),
  /** None of these. */
  otherMarks: z.array(z.string()),
});
export type TypeFilter = z.output<typeof TypeFilter>;

/** The filter for the profiles of a display type; without one, for all profiles. */
export function filterOf(displayType: DisplayType | undefined): TypeFilter {
  if (displayType === undefined) return { type: "", marks: [], otherMarks: [] };
  if (!isSeparate(displayType))
    return { type: displayType, marks: [], otherMarks: displayType === "custom" ? allMarks : [] };
  // A profile with several marks is of the first type.
  const earlier = separateTypes.slice(0, separateTypes.indexOf(displayType));
  return { type: storedTypeOf(displayType), marks: [markOf(displayType)], otherMarks: earlier.map(markOf) };
}

/** The roll-ups have no sample types. The sort order begins with org_id, service and type, so only custom profiles are read. */
const profilesByMark = query({
  name: "profiles.by_mark",
  isCacheable: true,
  sql: `SELECT service, ${markColumn} AS mark, count() AS profiles
        FROM profiles
        WHERE org_id = {orgId:UUID} AND type = 'custom'
          AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
          AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
          AND ({service:String} = '' OR service = {service:String})
          AND mark != ''
        GROUP BY service, mark`,
  params: z.object({
    orgId: z.uuid(),
    fromMs: z.int(),
    toMs: z.int(),
    service: z.string(),
    allMarks: z.array(z.string()),
  }),
  row: z.object({ service: z.string(), mark: z.string(), profiles: Count }),
});

interface Range {
  readonly orgId: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Empty means all. */
  readonly service: string;
}

export type SeparateCounts = ReadonlyMap<SeparateType, number>;

/** Profiles by service and mark. */
export function readMarks(columns: Pick<ColumnStore, "query">, range: Range) {
  return columns.query(profilesByMark, { ...range, allMarks });
}

/** Sums of rows by their mark; rows without one are left out. */
export function separateCounts(
  rows: Iterable<{ readonly mark: string; readonly profiles: number }>,
): SeparateCounts {
  const counts = new Map<SeparateType, number>();
  for (const { mark, profiles } of rows) {
    const type = separateTypes.find((each) => markOf(each) === mark);
    if (type !== undefined) counts.set(type, (counts.get(type) ?? 0) + profiles);
  }
  return counts;
}

/** Counts by type, with separate types apart from the other custom profiles. */
export function countsByDisplayType(
  counts: ReadonlyMap<string, number>,
  separate: SeparateCounts = new Map(),
): Partial<Record<DisplayType, number>> {
  const all = new Map(counts);
  for (const type of separateTypes) {
    // The two counts are read one after the other; a profile may arrive in between.
    const left = all.get(storedTypeOf(type)) ?? 0;
    const count = Math.min(separate.get(type) ?? 0, left);
    all.set(storedTypeOf(type), left - count).set(type, count);
  }
  return Object.fromEntries([...all].filter(([, count]) => count > 0));
}
