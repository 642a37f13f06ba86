import type { TotalsRange, TotalsRow } from "#store/column/read/profile-totals-queries.ts";
import { dayOf, hourOf } from "#store/column/utc.ts";
import { LruCache } from "#store/lru.ts";
import type { Changes } from "./changes.ts";

type Totals = readonly TotalsRow[];

interface CachedTotals {
  /** Of the scope, before it was read. */
  readonly version: number;
  readonly rows: Promise<Totals>;
}

/** Without its histogram a row takes about 300 bytes. */
const rowsCachedMax = 20_000;

/** Totals of profiles, used again as long as no profile of the organization since the first start has changed. */
export class TotalsCache {
  readonly #changes: Changes;
  readonly #read: (range: TotalsRange) => Promise<Totals>;
  readonly #cache = new LruCache<CachedTotals>(rowsCachedMax);

  constructor(changes: Changes, read: (range: TotalsRange) => Promise<Totals>) {
    this.#changes = changes;
    this.#read = read;
  }

  read(range: TotalsRange): Promise<Totals> {
    const { orgId, service, starts, withFigures, now } = range;
    const firstHour = hourOf(Math.min(...starts));
    const version = this.#changes.versionOf({ orgId, firstHour });
    if (version === undefined) return this.#read(range);
    // Rows of days that are over are of whole days: another day has other rows.
    const key = JSON.stringify([orgId, service, starts, withFigures, dayOf(now.getTime() / 1000)]);
    const found = this.#cache.get(key);
    if (found?.version === version) return found.rows;
    const rows = this.#read(range);
    rows.then(
      (all) => this.#cache.set(key, { version, rows }, weightOf(all)),
      () => undefined,
    );
    return rows;
  }
}

function weightOf(rows: Totals): number {
  return rows.reduce((sum, { bins }) => sum + 1 + bins.length / 16, 1);
}
