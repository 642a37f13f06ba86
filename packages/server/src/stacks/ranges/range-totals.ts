import { hourMs } from "@flamekeep/contract/durations";
import type { z } from "zod";
import type { AddedStacks, WaitingProfile } from "#store/column/awaited-rows.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import type { ColumnReader } from "#store/column/query.ts";
import { type HoursOfRange, readRolledHours } from "#store/column/read/stack-totals.ts";
import { hourOf } from "#store/column/utc.ts";
import type { SeriesRange } from "#store/column/values.ts";
import { inOrderOf, type LatestSampleTypes, readLatestSampleTypes } from "#store/profiles/sample-type.ts";
import { addTotals, minuteTotals, rangeTotals, type TypeTotals } from "./merge-queries.ts";

type Range = z.output<typeof SeriesRange>;

/** The totals of a range by sample type, in the order in which profiles name them. */
export interface RangeTotals {
  readonly totals: TypeTotals[];
  /** Undefined if tags or labels select what counts, because roll-ups have neither. */
  readonly hours: HoursOfRange | undefined;
}

/** The totals of all stored profiles of a range. */
export async function readTotalsOfAll(columns: ColumnReader, range: Range): Promise<RangeTotals> {
  return (await readSums(columns, range)).result();
}

/** As `readTotalsOfAll`, with those that wait, which `hours` then has for the sums by stack. */
export async function readTotalsWithWaiting(
  { awaitedRows, direct }: Pick<ColumnStore, "awaitedRows" | "direct">,
  range: Range,
): Promise<RangeTotals> {
  const sums = await awaitedRows.withWaiting(
    range,
    () => readSums(direct, range),
    (stored, waiting) => stored.withWaiting(waiting, range),
  );
  return sums.result();
}

/**
 * Every query is about whole hours, so that a range that begins or ends a minute later has the same results in the cache: the hours
 * that the range ends in, and begins in if it has a part of it, are read by minute.
 */
async function readSums(columns: ColumnReader, range: Range): Promise<Sums> {
  const { byMinute, between } = hoursOf(range);
  const [ends, middle, latest, rolled] = await Promise.all([
    Promise.all(byMinute.map((hour) => columns.query(minuteTotals, hour))),
    between === undefined ? [] : columns.query(rangeTotals, between),
    readLatestSampleTypes(columns, hoursAround(range)),
    readRolledHours(columns, range),
  ]);
  const sums = new Sums(rolled, latest);
  for (const row of middle) sums.addHours(row);
  for (const row of ends.flat()) sums.addMinutes(row, range);
  return sums;
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
  readonly #totals = new Map<string, TypeTotals>();
  readonly #profiles = new Map<number, number>();
  readonly #minutes = new Map<number, number>();
  readonly #waiting: AddedStacks[] = [];
  readonly #rolled: HoursOfRange["rolled"];
  #latest: LatestSampleTypes | undefined;

  constructor(rolled: HoursOfRange["rolled"], latest: LatestSampleTypes | undefined) {
    this.#rolled = rolled;
    this.#latest = latest;
  }

  result(): RangeTotals {
    const totals = inOrderOf([...this.#totals.keys()], this.#latest).map((name) => this.#totals.get(name)!);
    const [profiles, minutes, rolled, waiting] = [this.#profiles, this.#minutes, this.#rolled, this.#waiting];
    return { totals, hours: { profiles, minutes, rolled, waiting } };
  }

  /** Adds the profiles of the range. */
  withWaiting(all: readonly WaitingProfile[], { type, from, to }: Range): this {
    for (const { type: own, startedMs, durationNs, sampleTypes, stacks } of all) {
      const [started, duration] = [startedMs[0]!, BigInt(durationNs[0]!)];
      if (own !== type || started < from.getTime() || started >= to.getTime()) continue;
      if (this.#latest === undefined || started >= this.#latest.startedMs)
        this.#latest = { sampleTypes: [...sampleTypes], startedMs: started };
      const added = stacks();
      this.#waiting.push(added);
      for (const [place, sampleType] of sampleTypes.entries())
        addTotals(this.#totals, {
          sampleType,
          total: added.totals[place]!,
          profiles: 1,
          durationNs: duration,
        });
    }
    return this;
  }

  addHours(row: z.output<typeof rangeTotals.row>): void {
    if (row.sampleType !== "") addTotals(this.#totals, row);
    else
      for (const [index, hour] of row.hours.entries()) addTo(this.#profiles, hour, row.hourProfiles[index]!);
  }

  /** Adds the minutes that are in the range, and counts the profiles of all of them. */
  addMinutes(row: z.output<typeof minuteTotals.row>, { from, to }: Range): void {
    const { sampleType } = row;
    for (const [index, minute] of row.minutes.entries()) {
      const profiles = row.profiles[index]!;
      if (sampleType === "") addTo(this.#minutes, minute, profiles);
      if (minute * 1000 < from.getTime() || minute * 1000 >= to.getTime()) continue;
      if (sampleType === "") addTo(this.#profiles, hourOf(minute), profiles);
      else {
        addTotals(this.#totals, {
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
