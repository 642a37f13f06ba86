import type { ColumnMaintenance } from "#store/column/maintenance/column-maintenance.ts";
import type { ColumnReader } from "#store/column/query.ts";
import { dayOf, daySeconds, hourOf, hourSeconds } from "#store/column/utc.ts";
import { LruCache } from "#store/lru.ts";
import { OpenDays } from "./open-days.ts";
import { ProfileCounts } from "./profile-counts.ts";
import {
  rolledByDay,
  storedByDay,
  type TotalsRange,
  type TotalsRow,
  toRows,
  totalsByDay,
  totalsByHour,
} from "./profile-totals-queries.ts";

/** Profiles stored by day. */
type Stored = ReadonlyMap<string, number>;

interface CachedDay {
  /** The number of profiles of the day, of all organizations, for which the rows are valid. */
  readonly stored: number;
  readonly rows: readonly TotalsRow[];
}

/** About 300 bytes each: a month of an organization of 100 services. */
const rowsCachedMax = 60_000;

/**
 * Sums over profiles since a given minute, by service and type, in rows of days, hours and parts of hours.
 *
 * Rows of past days are cached: while a day has as many profiles as its roll-up has counted, the roll-up is complete,
 * and counting the profiles of a day is cheap. Only removals make the number of profiles smaller, and they empty the
 * cache.
 */
export class ProfileTotals {
  readonly #reader: ColumnReader;
  readonly #maintenance: Pick<ColumnMaintenance, "query">;
  #cache = new LruCache<CachedDay>(rowsCachedMax);
  /** The number of profiles of days, of all organizations, for which their roll-up was complete. */
  #rolled = new Map<string, number>();
  #open: OpenDays;
  #counts: ProfileCounts;

  constructor(reader: ColumnReader, maintenance: Pick<ColumnMaintenance, "query">) {
    this.#reader = reader;
    this.#maintenance = maintenance;
    this.#open = new OpenDays(reader);
    this.#counts = this.#newCounts();
  }

  /** Empties the cache. Reads that are still running fill the previous cache, which is no longer used. */
  forget(): void {
    this.#cache = new LruCache(rowsCachedMax);
    this.#rolled = new Map();
    this.#open = new OpenDays(this.#reader);
    this.#counts = this.#newCounts();
  }

  #newCounts(): ProfileCounts {
    return new ProfileCounts({
      reader: this.#reader,
      maintenance: this.#maintenance,
      completeOf: (days, stored) => this.#completeOf(days, stored),
    });
  }

  async read(range: TotalsRange): Promise<readonly TotalsRow[]> {
    const { service, starts, now, detail } = range;
    if (detail !== "figures") return this.#counts.read({ ...range, detail });
    const first = Math.min(...starts);
    const today = dayOf(now.getTime() / 1000);
    const open = this.#open.begin(range);
    // It is awaited after other reads, whose errors are reported first.
    open.catch(() => {});
    const stored = toStored(await this.#maintenance.query(storedByDay, { first: dayOf(first) }));
    const cutDays = new Set(starts.filter((start) => start % daySeconds !== 0).map(dayOf));
    const whole = await this.#completeDays(
      "day",
      range,
      filterDays(stored, (day) => day < today && !cutDays.has(day)),
    );
    const hourly = await this.#completeDays(
      "hour",
      range,
      filterDays(stored, (day) => day < today && !whole.has(day)),
    );
    const begun = await open;
    const openDays = [...stored.keys()].filter((day) => !whole.has(day) && !hourly.has(day));
    const cutHours = starts.map(hourOf).filter((hour) => !starts.includes(hour) && stored.has(dayOf(hour)));
    const others = await begun.finish(openDays, cutHours);
    const cutHourStarts = new Set(cutHours);
    const isWanted = (row: TotalsRow) =>
      row.startSeconds >= first && (service === "" || row.service === service);
    const ofHours = [...hourly].flatMap(([day, rows]) => mergeRows(rows, hourCuts(day, starts)));
    return [
      ...[...whole.values()].flatMap((rows) => (service === "" ? rows : rows.filter(isWanted))),
      ...ofHours.filter((row) => isWanted(row) && !cutHourStarts.has(row.startSeconds)),
      ...others.filter(isWanted),
    ];
  }

  /** The rows of `read` that are of one hour. */
  async readHour(range: TotalsRange, hour: number): Promise<TotalsRow[]> {
    const { starts, detail } = range;
    const first = Math.min(...starts);
    const rows =
      detail === "figures"
        ? await this.#open.readHour(range, hour)
        : await this.#counts.readHours({ ...range, detail }, [hour]);
    return rows.filter(({ startSeconds }) => startSeconds >= first);
  }

  /** Rows of the days whose roll-up is complete; other days are left out. */
  async #completeDays(
    form: "day" | "hour",
    { orgId, service }: TotalsRange,
    stored: Stored,
  ): Promise<Map<string, readonly TotalsRow[]>> {
    const found = new Map<string, readonly TotalsRow[]>();
    const cache = this.#cache;
    const keyOf = (day: string) => `${orgId} ${form} ${day} ${service}`;
    for (const [day, count] of stored) {
      const cached = cache.get(keyOf(day));
      if (cached?.stored === count) found.set(day, cached.rows);
    }
    const others = [...stored.keys()].filter((day) => !found.has(day));
    if (others.length === 0) return found;
    // In this order: rows that are read after the roll-up was complete stay valid while the count of the day is the same.
    const days = await this.#completeOf(others, stored);
    if (days.length === 0) return found;
    const statement = form === "day" ? totalsByDay : totalsByHour;
    const units = await this.#reader.query(statement, { orgId, service, days });
    const rows = Map.groupBy(
      units.flatMap((unit) => toRows(unit, service)),
      (row) => dayOf(row.startSeconds),
    );
    for (const day of days) {
      const rowsOfDay = rows.get(day) ?? [];
      cache.set(keyOf(day), { stored: stored.get(day)!, rows: rowsOfDay }, rowsOfDay.length + 1);
      found.set(day, rowsOfDay);
    }
    return found;
  }

  /** The days whose roll-up is complete: it is read across all organizations, so once for each number of profiles. */
  async #completeOf(days: readonly string[], stored: Stored): Promise<string[]> {
    const complete = this.#rolled;
    const unknown = days.filter((day) => complete.get(day) !== stored.get(day));
    if (unknown.length > 0)
      for (const [day, count] of toStored(await this.#maintenance.query(rolledByDay, { days: unknown })))
        if (count === stored.get(day)) complete.set(day, count);
    return days.filter((day) => complete.get(day) === stored.get(day));
  }
}

function toStored(rows: readonly { readonly day: string; readonly profiles: number }[]): Stored {
  return new Map(rows.map(({ day, profiles }) => [day, profiles]));
}

function filterDays(stored: Stored, isWanted: (day: string) => boolean): Stored {
  return new Map([...stored].filter(([day]) => isWanted(day)));
}

/** Where rows of hours must not be merged: at each start, before and after an hour that a start cuts in two. */
function hourCuts(day: string, starts: readonly number[]): number[] {
  const cuts = starts.flatMap((start) => [hourOf(start), hourOf(start + hourSeconds - 1)]);
  return [...new Set(cuts)].filter((cut) => dayOf(cut) === day).sort((a, b) => a - b);
}

type Sums = { -readonly [K in keyof TotalsRow]: TotalsRow[K] };

/** Cuts move with the clock, so that old ones are not needed again. */
const cutsCachedMax = 8;

const merged = new WeakMap<readonly TotalsRow[], Map<string, readonly TotalsRow[]>>();

/**
 * Merges rows of the same service and type that begin between the same two `cuts` (Unix seconds, ascending). The result
 * is cached as long as the rows are, because the same day is read again and again.
 */
export function mergeRows(rows: readonly TotalsRow[], cuts: readonly number[]): readonly TotalsRow[] {
  const byCuts = merged.get(rows) ?? new Map<string, readonly TotalsRow[]>();
  merged.set(rows, byCuts);
  const key = cuts.join();
  const cached = byCuts.get(key);
  if (cached !== undefined) return cached;
  const sums = merge(rows, cuts);
  if (byCuts.size >= cutsCachedMax) byCuts.clear();
  byCuts.set(key, sums);
  return sums;
}

function merge(rows: readonly TotalsRow[], cuts: readonly number[]): TotalsRow[] {
  const groups = Map.groupBy(rows, ({ service, type, startSeconds }) => {
    const part = cuts.findLastIndex((cut) => cut <= startSeconds);
    return `${part} ${type} ${service}`;
  });
  return [...groups.values()].map((group) => group.slice(1).reduce(add, { ...group[0]! }));
}

function add(sums: Sums, row: TotalsRow): Sums {
  sums.startSeconds = Math.min(sums.startSeconds, row.startSeconds);
  sums.profiles += row.profiles;
  sums.earliestMs = Math.min(sums.earliestMs, row.earliestMs);
  sums.latestMs = Math.max(sums.latestMs, row.latestMs);
  sums.samples += row.samples;
  sums.durationMs += row.durationMs;
  if (row.weight > 0) sums.peak = sums.weight > 0 ? Math.max(sums.peak, row.peak) : row.peak;
  sums.amount += row.amount;
  sums.weight += row.weight;
  sums.allocations += row.allocations;
  sums.allocated += row.allocated;
  sums.peakAllocated = Math.max(sums.peakAllocated, row.peakAllocated);
  sums.bins = [...sums.bins, ...row.bins];
  sums.binProfiles = [...sums.binProfiles, ...row.binProfiles];
  return sums;
}
