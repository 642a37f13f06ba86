import { hourMs } from "@flamekeep/contract/durations";
import type { ColumnReader } from "#store/column/query.ts";
import type { PartCache, PartReader } from "#store/column/read/part-cache.ts";
import type { HoursOfRange } from "#store/column/read/stack-totals.ts";
import { hourOf } from "#store/column/utc.ts";
import { type LabelHours, readLabelHours, wholeHours } from "./label-hours.ts";
import { areCountable, type OrTooMany } from "./label-parts.ts";
import { readTotalsOfAll } from "./range-totals.ts";
import type { MergeRange } from "./requested-range.ts";

export type LabelColumns = Pick<ColumnReader, "query" | "queryBytes"> & {
  readonly parts: Pick<PartCache, "read" | "isOn">;
};

/** How to read one kind of sums by labels from each of its sources. */
interface LabelReaders<R, P, A> {
  readonly parts: PartReader<R, OrTooMany<readonly P[]>>;
  /** From the roll-up of these hours. */
  readonly rolled: (hours: LabelHours & Pick<MergeRange, "from" | "to">) => Promise<A>;
  /** From the profiles of all hours but these. */
  readonly profiles: (except: LabelHours) => Promise<A>;
}

/** Each profile of the range is in exactly one of them. */
interface LabelSums<P, A> {
  readonly parts: readonly P[];
  readonly answers: readonly A[];
}

/**
 * Reads a range: whole hours from the roll-up, where it is complete; the hours that the range begins and ends in by part, from cached
 * sums for every set of labels, so that ranges that move and other filters read little. All else is read from the profiles: ranges
 * with tags, hours that are not rolled up yet, and hours with too many sets.
 */
export async function readByLabels<R extends MergeRange, P, A>(
  columns: LabelColumns,
  range: R,
  readers: LabelReaders<R, P, A>,
): Promise<LabelSums<P, A>> {
  const [rolled, counts] = await Promise.all([readLabelHours(columns, range), readCounts(columns, range)]);
  const minutes = new Map(
    [...(counts?.minutes ?? [])].filter(([minute]) => !rolled.hours.includes(hourOf(minute))),
  );
  const readProfiles = async (hoursByPart: readonly number[]): Promise<A[]> => {
    const except = new Set([...rolled.hours, ...hoursByPart]);
    const isAll =
      counts === undefined
        ? except.size * hourMs >= range.to.getTime() - range.from.getTime()
        : [...counts.profiles.keys()].every((hour) => except.has(hour));
    return isAll ? [] : [await readers.profiles({ hours: [...except], versions: [] })];
  };
  const readRolled = async (): Promise<A[]> =>
    rolled.hours.length === 0 ? [] : [await readers.rolled({ ...rolled, ...wholeHours(range) })];
  const [parts, ofHours, ofProfiles] = await Promise.all([
    columns.parts.read(readers.parts, range, minutes),
    readRolled(),
    readProfiles([...minutes.keys()].map(hourOf)),
  ]);
  if (!areCountable(parts)) return { parts: [], answers: [...ofHours, ...(await readProfiles([]))] };
  return { parts: parts.flat(), answers: [...ofHours, ...ofProfiles] };
}

/** Undefined where sums by part are of no use. */
async function readCounts(columns: LabelColumns, range: MergeRange): Promise<HoursOfRange | undefined> {
  if (!columns.parts.isOn || range.tagNames.length > 0) return undefined;
  return (await readTotalsOfAll(columns, range)).hours;
}
