import { hourMs } from "@flamekeep/contract/durations";
import type { z } from "zod";
import type { ColumnReader } from "#store/column/query.ts";
import { type HoursOfRange, readRolledHours } from "#store/column/read/stack-totals.ts";
import { hourOf } from "#store/column/utc.ts";
import type { SeriesRange } from "#store/column/values.ts";
import { inOrderOf, readLatestSampleTypes } from "#store/profiles/sample-type.ts";
import { addTotals, minuteTotals, rangeTotals, type TypeTotals } from "./merge-queries.ts";

type Range = z.output<typeof SeriesRange>;

/** The totals of a range by sample type, in the order in which profiles name them. */
export interface RangeTotals {
  readonly totals: TypeTotals[];
  /** Undefined if tags or labels select what counts, because roll-ups have neither. */
  readonly hours: HoursOfRange | undefined;
}

/**
 * The totals of all profiles of a range. Every query is about whole hours, so that a range that begins or ends a minute later
 * has the same results in the cache: the hours that the range ends in, and begins in if it has a part of it, are read by minute.
 */
export async function readTotalsOfAll(columns: ColumnReader, range: Range): Promise<RangeTotals> {
  const { byMinute, between } = hoursOf(range);
  const [ends, middle, latest, rolled] = await Promise.all([
    Promise.all(byMinute.map((hour) => columns.query(minuteTotals, hour))),
    between === undefined ? [] : columns.query(rangeTotals, between),
    readLatestSampleTypes(columns, hoursAround(range)),
    readRolledHours(columns, range),
  ]);
  const sums = new Sums();
  for (const row of middle) sums.addHours(row);
  for (const row of ends.flat()) sums.addMinutes(row, range);
  const { profiles, minutes, totals } = sums;
  return {
    totals: inOrderOf([...totals.keys()], latest).map((sampleType) => totals.get(sampleType)!),
    hours: { profiles, minutes, rolled },
  };
}

/** The hours to read by minute, and those between them if there are any. */
function hoursOf(range: Range): { byMinute: Range[]; between: Range | undefined } {
  const whole = hoursAround(range);
  const firstMs = whole.from.getTime();
  const lastMs = whole.to.getTime() - hourMs;
  const hour = (startMs: number) => ({
    ...range,
    from: new Date(startMs),
    to: new Date(startMs + hourMs),
  });
  if (firstMs >= lastMs) return { byMinute: [hour(lastMs)], between: undefined };
  const beginsOnHour = range.from.getTime() === firstMs;
  const betweenMs = beginsOnHour ? firstMs : firstMs + hourMs;
  return {
    byMinute: beginsOnHour ? [hour(lastMs)] : [hour(firstMs), hour(lastMs)],
    between: betweenMs < lastMs ? { ...range, from: new Date(betweenMs), to: new Date(lastMs) } : undefined,
  };
}

/** The hours that a range has minutes of, so that a range that begins a minute later has the same. */
export function hoursAround<R extends { readonly from: Date; readonly to: Date }>(range: R): R {
  return {
    ...range,
    from: new Date(Math.floor(range.from.getTime() / hourMs) * hourMs),
    to: new Date(Math.ceil(range.to.getTime() / hourMs) * hourMs),
  };
}

class Sums {
  readonly totals = new Map<string, TypeTotals>();
  /** The number of profiles in each hour, by Unix seconds. */
  readonly profiles = new Map<number, number>();
  readonly minutes = new Map<number, number>();

  addHours(row: z.output<typeof rangeTotals.row>): void {
    if (row.sampleType !== "") addTotals(this.totals, row);
    else
      for (const [index, hour] of row.hours.entries()) addTo(this.profiles, hour, row.hourProfiles[index]!);
  }

  /** Adds the minutes that are in the range, and counts the profiles of all of them. */
  addMinutes(row: z.output<typeof minuteTotals.row>, { from, to }: Range): void {
    const { sampleType } = row;
    for (const [index, minute] of row.minutes.entries()) {
      const profiles = row.profiles[index]!;
      if (sampleType === "") addTo(this.minutes, minute, profiles);
      if (minute * 1000 < from.getTime() || minute * 1000 >= to.getTime()) continue;
      if (sampleType === "") addTo(this.profiles, hourOf(minute), profiles);
      else {
        addTotals(this.totals, {
          sampleType,
          total: row.totals[index]!,
          profiles,
          durationNs: row.durationsNs[index]!,
        });
      }
    }
  }
}

function addTo(counts: Map<number, number>, key: number, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
