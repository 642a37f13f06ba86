import type { ColumnMaintenance } from "#store/column/maintenance/column-maintenance.ts";
import type { ColumnReader } from "#store/column/query.ts";
import { dayOf, daySeconds, hourOf, hourSeconds } from "#store/column/utc.ts";
import { LruCache } from "#store/lru.ts";
import {
  countsByHour,
  countsOfHours,
  countsOfRolledHours,
  readCounts,
  storedByDay,
  type TotalsRange,
  type TotalsRow,
} from "./profile-totals-queries.ts";

interface CachedCounts {
  readonly state: string;
  readonly rows: readonly TotalsRow[];
  /** Their sum. */
  readonly profiles: number;
}

interface JoinedCounts {
  readonly parts: readonly (readonly TotalsRow[])[];
  readonly rows: readonly TotalsRow[];
}

/** About 200 bytes each. */
const rowsCachedMax = 120_000;

/** Hours in parts from one cut to the next. */
interface RolledHours {
  readonly days: string[];
  /** None for all hours of the days. */
  readonly hours: number[];
  readonly cuts: number[];
}

type CountsRange = TotalsRange & { readonly detail: "services" | "types" };

interface HourCounts {
  readonly hourSeconds: number;
  readonly stored: number;
}

interface Parts {
  readonly reader: ColumnReader;
  readonly maintenance: Pick<ColumnMaintenance, "query">;
  /** The days whose roll-up has counted as many profiles of all organizations as are stored. */
  readonly completeOf: (days: readonly string[], stored: ReadonlyMap<string, number>) => Promise<string[]>;
}

/**
 * Profiles by service and type, or by type alone. The store adds up all hours between two starts, so that a range has a row for each
 * of them, whatever its length: an organization of thousands of services has a hundred thousand rows of hours a day.
 */
export class ProfileCounts {
  readonly #parts: Parts;
  /** Rows of days that are over, and of complete hours: all together, for each set of them. */
  readonly #cache = new LruCache<CachedCounts>(rowsCachedMax);

  /** The last rows of all parts together: thousands, which callers add up once while they are the same. */
  readonly #joined = new LruCache<JoinedCounts>(rowsCachedMax);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async read(range: CountsRange): Promise<readonly TotalsRow[]> {
    const { starts, now } = range;
    const first = Math.min(...starts);
    const nowSeconds = Math.floor(now.getTime() / 1000);
    const today = dayOf(nowSeconds);
    const cutHours = starts.map(hourOf).filter((hour) => !starts.includes(hour));
    const cutDays = starts.filter((start) => start % daySeconds !== 0).map(dayOf);
    const likelyDays = [...new Set([today, ...cutDays])];
    const { maintenance, completeOf } = this.#parts;
    const [likelyHours, days] = await Promise.all([
      this.#hoursOf(range, likelyDays),
      maintenance.query(storedByDay, { first: dayOf(first) }),
    ]);
    const stored = new Map(days.map(({ day, profiles }) => [day, profiles]));
    const past = [...stored.keys()].filter((day) => day < today && !cutDays.includes(day)).sort();
    const complete = new Set(await completeOf(past, stored));
    const whole = past.filter((day) => complete.has(day));
    const others = [...stored.keys()].filter((day) => !complete.has(day) && !likelyDays.includes(day));
    const hours = [...likelyHours, ...(await this.#hoursOf(range, others))];
    const isApart = new Set(cutHours);
    for (const { hourSeconds: hour, stored, rolled } of hours) if (stored !== rolled) isApart.add(hour);
    const rolled = hours.filter(({ hourSeconds: hour }) => hour >= first && !isApart.has(hour));
    const hasProfiles = new Set(hours.map(({ hourSeconds: hour }) => hour));
    const apart = [...isApart].filter((hour) => hour + hourSeconds > first && hasProfiles.has(hour));
    const [ofDays, ofHours, ofProfiles] = await Promise.all([
      this.#ofWholeDays(range, whole, stored),
      this.#ofRolledHours(range, rolled),
      this.readHours(range, apart),
    ]);
    // Rows of whole days and hours begin with the range.
    return this.#join(range, [
      ofDays,
      ofHours,
      ofProfiles.filter(({ startSeconds }) => startSeconds >= first),
    ]);
  }

  #join({ orgId, service, detail }: CountsRange, all: JoinedCounts["parts"]): readonly TotalsRow[] {
    const parts = all.filter((rows) => rows.length > 0);
    if (parts.length === 1) return parts[0]!;
    const key = JSON.stringify([orgId, service, detail]);
    const before = this.#joined.get(key);
    if (before?.parts.length === parts.length && before.parts.every((rows, at) => rows === parts[at]))
      return before.rows;
    const rows = parts.flat();
    this.#joined.set(key, { parts, rows }, rows.length + 1);
    return rows;
  }

  /** From the profiles. */
  async readHours(range: CountsRange, hours: readonly number[]): Promise<TotalsRow[]> {
    if (hours.length === 0) return [];
    const { orgId, service, detail } = range;
    const days = [...new Set(hours.map(dayOf))];
    const params = { orgId, service, detail, days, hours: [...hours], cuts: cutsOf(range) };
    return readCounts(await this.#parts.reader.queryBytes(countsOfHours, params));
  }

  async #hoursOf({ orgId, service }: CountsRange, days: readonly string[]) {
    return days.length === 0
      ? []
      : this.#parts.reader.query(countsByHour, { orgId, service, days: [...days] });
  }

  /** Hours that are rolled up completely. */
  async #ofRolledHours(range: CountsRange, hours: readonly HourCounts[]): Promise<readonly TotalsRow[]> {
    const starts = hours.map(({ hourSeconds: hour }) => hour).sort((a, b) => a - b);
    // Not at the starts of the range, which move with the clock while the hours stay the same.
    const cuts = new Set(cutsOf(range).map((cut) => starts.find((start) => start >= cut) ?? cut));
    const rolled = { days: [...new Set(starts.map(dayOf))], hours: starts, cuts: [...cuts] };
    const state = hours.map(({ hourSeconds: hour, stored }) => `${hour}:${stored}`).join();
    const { rows, profiles } = await this.#read(range, rolled, state);
    const stored = hours.reduce((sum, each) => sum + each.stored, 0);
    // Hours that are counted again lack rows for a moment.
    return profiles === stored ? rows : this.readHours(range, starts);
  }

  async #ofWholeDays(
    range: CountsRange,
    days: string[],
    stored: ReadonlyMap<string, number>,
  ): Promise<readonly TotalsRow[]> {
    const { starts } = range;
    // Only starts at midnight are between whole days.
    const partOf = (day: string) => starts.filter((start) => dayOf(start) <= day).length;
    const cuts = days.filter((day, at) => at === 0 || partOf(day) !== partOf(days[at - 1]!)).map(midnightOf);
    const state = days.map((day) => stored.get(day)).join();
    return (await this.#read(range, { days, hours: [], cuts }, state)).rows;
  }

  /** @param state of the roll-ups that are read */
  async #read(
    { orgId, service, detail }: CountsRange,
    rolled: RolledHours,
    state: string,
  ): Promise<Omit<CachedCounts, "state">> {
    if (rolled.days.length === 0) return { rows: [], profiles: 0 };
    const key = `${orgId} ${detail} ${rolled.days} ${rolled.hours} ${rolled.cuts} ${service}`;
    const cached = this.#cache.get(key);
    if (cached?.state === state) return cached;
    const bytes = await this.#parts.reader.queryBytes(countsOfRolledHours, {
      orgId,
      service,
      detail,
      ...rolled,
    });
    const rows = readCounts(bytes);
    const counts = { state, rows, profiles: rows.reduce((sum, { profiles }) => sum + profiles, 0) };
    this.#cache.set(key, counts, rows.length + 1);
    return counts;
  }
}

function midnightOf(day: string): number {
  return Date.parse(day) / 1000;
}

/** At the starts, and around the present hour, whose rows are read again alone. */
function cutsOf({ starts, now }: CountsRange): number[] {
  const present = hourOf(Math.floor(now.getTime() / 1000));
  return [...new Set([0, ...starts, present, present + hourSeconds])].sort((a, b) => a - b);
}
