import type { ProfileTotals } from "#store/column/read/profile-totals.ts";
import type { TotalsRange, TotalsRow } from "#store/column/read/profile-totals-queries.ts";
import { dayOf, hourOf, hourSeconds } from "#store/column/utc.ts";
import { LruCache } from "#store/lru.ts";
import type { Changes } from "./changes.ts";

interface Versions {
  /** The version of all hours but the present one. */
  readonly others: number;
  /** The version of the present hour; undefined while it is being written. */
  readonly present: number | undefined;
}

interface CachedTotals extends Versions {
  readonly rows: readonly TotalsRow[];
}

/** Without its histogram a row takes about 300 bytes. */
const rowsCachedMax = 60_000;

/**
 * Totals of profiles, used again as long as no profile of the organization has changed. While profiles of the present hour come, only
 * that hour is read.
 */
export class TotalsCache {
  readonly #changes: Changes;
  readonly #totals: Pick<ProfileTotals, "read" | "readHour">;
  readonly #cache = new LruCache<CachedTotals>(rowsCachedMax);

  constructor(changes: Changes, totals: Pick<ProfileTotals, "read" | "readHour">) {
    this.#changes = changes;
    this.#totals = totals;
  }

  async read(range: TotalsRange): Promise<readonly TotalsRow[]> {
    const { orgId, service, starts, detail, now } = range;
    const presentHour = hourOf(Math.floor(now.getTime() / 1000));
    const versions = this.#versionsOf(range, presentHour);
    if (versions === undefined) return this.#totals.read(range);
    // Rows of days that are over are of whole days: another day has other rows.
    const day = dayOf(now.getTime() / 1000);
    const key = JSON.stringify([orgId, service, starts, detail, day, presentHour]);
    const found = this.#cache.get(key);
    if (found?.others !== versions.others) return this.#keep(key, versions, await this.#totals.read(range));
    if (versions.present !== undefined && found.present === versions.present) return found.rows;
    const present = await this.#totals.readHour(range, presentHour);
    const others = found.rows.filter(({ startSeconds }) => hourOf(startSeconds) !== presentHour);
    return this.#keep(key, versions, [...others, ...present]);
  }

  /** Undefined while hours other than the present one are being written. */
  #versionsOf({ orgId, starts }: TotalsRange, presentHour: number): Versions | undefined {
    const first = hourOf(Math.min(...starts));
    const before = this.#changes.versionOf({ orgId, firstHour: first, lastHour: presentHour - hourSeconds });
    const after = this.#changes.versionOf({ orgId, firstHour: Math.max(first, presentHour + hourSeconds) });
    if (before === undefined || after === undefined) return undefined;
    const present = this.#changes.versionOf({ orgId, firstHour: presentHour, lastHour: presentHour });
    return { others: Math.max(before, after), present };
  }

  #keep(key: string, versions: Versions, rows: readonly TotalsRow[]): readonly TotalsRow[] {
    this.#cache.set(key, { ...versions, rows }, weightOf(rows));
    return rows;
  }
}

function weightOf(rows: readonly TotalsRow[]): number {
  return rows.reduce((sum, { bins }) => sum + 1 + bins.length / 16, 1);
}
