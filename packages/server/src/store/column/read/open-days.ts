import type { ColumnReader } from "#store/column/query.ts";
import { dayOf, hourOf, hourSeconds } from "#store/column/utc.ts";
import { LruCache } from "#store/lru.ts";
import { noFigures, sumProfiles } from "./profile-figures.ts";
import {
  countsByHour,
  countsOfHours,
  profilesOfHours,
  readProfiles,
  type TotalsRange,
  type TotalsRow,
  toRows,
  totalsByHour,
} from "./profile-totals-queries.ts";

interface BegunRead {
  /** Rows of the open days, and of the hours that starts cut in parts, from the profiles. */
  finish(openDays: readonly string[], cutHours: readonly number[]): Promise<TotalsRow[]>;
}

interface Parts {
  readonly hours: ReadonlySet<number>;
  readonly rows: readonly TotalsRow[];
}

type Counts = ReadonlyMap<number, number>;

const rowsCachedMax = 60_000;
/** The shortest time between two reads of the rows of a day that is not over. */
const cachedMs = 30_000;

/**
 * Sums over profiles of days that are not over or not completely rolled up. Each hour is read from the roll-up if that
 * has as many profiles of the organization as the totals by minute, else from the profiles.
 */
export class OpenDays {
  readonly #reader: ColumnReader;
  readonly #cache = new LruCache<{ readonly rows: readonly TotalsRow[]; readonly sinceMs: number }>(
    rowsCachedMax,
  );
  /** Hours that the roll-up lacked at the last read of an organization: it probably still lacks most of them. */
  readonly #lacking = new LruCache<readonly number[]>(1000);

  constructor(reader: ColumnReader) {
    this.#reader = reader;
  }

  /** Reads the rows that today probably needs, before the open days are known. */
  async begin(range: TotalsRange): Promise<BegunRead> {
    const { orgId, starts, now } = range;
    const today = dayOf(now.getTime() / 1000);
    const cutHours = starts.map(hourOf).filter((hour) => !starts.includes(hour));
    const likely = [...(this.#lacking.get(orgId) ?? []), hourOf(now.getTime() / 1000), ...cutHours];
    const [counted, rolled, parts] = await Promise.all([
      this.#countsOf(orgId, [today]),
      this.#rolledRows(orgId, today),
      this.#partsOf(range, new Set(likely)),
    ]);
    return {
      finish: async (openDays, cut) => {
        const others = openDays.filter((day) => day !== today);
        const counts = others.length === 0 ? counted : await this.#countsOf(orgId, openDays);
        const rest = await Promise.all(others.map((day) => this.#rolledRows(orgId, day)));
        const rows = [...rolled, ...rest.flat()];
        const lacking = hoursThatDiffer(rows, counts);
        this.#lacking.set(orgId, lacking, 1);
        const wanted = new Set([...lacking, ...cut]);
        const missing = [...wanted].filter((hour) => !parts.hours.has(hour));
        const more = await this.#partsOf(range, new Set(missing));
        const read = [...parts.rows, ...more.rows].filter((row) => wanted.has(hourOf(row.startSeconds)));
        return [...rows.filter((row) => !wanted.has(row.startSeconds)), ...read];
      },
    };
  }

  /** Rows of one hour, from the profiles. */
  async readHour(range: TotalsRange, hour: number): Promise<readonly TotalsRow[]> {
    return (await this.#partsOf(range, new Set([hour]))).rows;
  }

  async #countsOf(orgId: string, days: readonly string[]): Promise<Counts> {
    const hours = await this.#reader.query(countsByHour, { orgId, days: [...days] });
    return new Map(hours.map((row) => [row.hourSeconds, row.profiles]));
  }

  async #rolledRows(orgId: string, day: string): Promise<readonly TotalsRow[]> {
    const key = `${orgId} ${day}`;
    const nowMs = performance.now();
    const cached = this.#cache.get(key);
    if (cached !== undefined && nowMs - cached.sinceMs < cachedMs) return cached.rows;
    const rows = (await this.#reader.query(totalsByHour, { orgId, days: [day] })).flatMap(toRows);
    this.#cache.set(key, { rows, sinceMs: nowMs }, rows.length + 1);
    return rows;
  }

  async #partsOf(range: TotalsRange, hours: ReadonlySet<number>): Promise<Parts> {
    if (hours.size === 0) return { hours, rows: [] };
    const { orgId, service, starts } = range;
    const params = { orgId, service, hours: [...hours], days: [...new Set([...hours].map(dayOf))] };
    const cuts = [0, ...starts.filter((start) => start % hourSeconds !== 0)].toSorted((a, b) => a - b);
    if (range.withFigures) {
      const startOf = (startedMs: number) => {
        const seconds = startedMs / 1000;
        return Math.max(hourOf(Math.floor(seconds)), cuts.findLast((cut) => cut <= seconds)!);
      };
      return {
        hours,
        rows: sumProfiles(readProfiles(await this.#reader.queryBytes(profilesOfHours, params)), startOf),
      };
    }
    const counts = await this.#reader.query(countsOfHours, { ...params, cuts });
    return { hours, rows: counts.map((row) => ({ ...noFigures(), ...row })) };
  }
}

function hoursThatDiffer(rows: readonly TotalsRow[], counts: Counts): number[] {
  const rolled = new Map<number, number>();
  for (const { startSeconds, profiles } of rows) {
    rolled.set(startSeconds, (rolled.get(startSeconds) ?? 0) + profiles);
  }
  const hours = new Set([...counts.keys(), ...rolled.keys()]);
  return [...hours].filter((hour) => counts.get(hour) !== rolled.get(hour));
}
