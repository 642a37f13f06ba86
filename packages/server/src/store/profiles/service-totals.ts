import type { ColumnStore, TotalsRow } from "#store/column/column-store.ts";

export interface ServiceTypeRow {
  readonly service: string;
  readonly type: string;
  readonly profiles: number;
  /** Start of the latest profile; at most the present time, even if the sender's clock is ahead. */
  readonly latestMs: number;
}

interface Range {
  readonly orgId: string;
  /** Start of a minute. */
  readonly fromMs: number;
  /** Start of the first minute that is not included. */
  readonly toMs: number;
  readonly now: Date;
}

type Totals = Pick<ColumnStore, "profileTotals">;

/** Number of profiles and start of the latest one, by service and type. */
export async function servicesByType(
  columns: Totals,
  range: Range,
  service = "",
): Promise<readonly ServiceTypeRow[]> {
  const sums = sumsOf(await rowsOf(columns, range, service));
  const nowMs = range.now.getTime();
  if (sums.every(({ latestMs }) => latestMs <= nowMs)) return sums;
  return sums.map((sum) => ({ ...sum, latestMs: Math.min(sum.latestMs, nowMs) }));
}

async function rowsOf(
  columns: Totals,
  { orgId, fromMs, toMs, now }: Range,
  service: string,
): Promise<readonly TotalsRow[]> {
  const [from, to] = [fromMs / 1000, toMs / 1000];
  const range = { orgId, service, now, withFigures: false };
  if (toMs > now.getTime()) return columns.profileTotals({ ...range, starts: [from] });
  const rows = await columns.profileTotals({ ...range, starts: [from, to] });
  return rows.filter(({ startSeconds }) => startSeconds < to);
}

/** While no profile arrives, the store returns the same rows. */
const summed = new WeakMap<readonly TotalsRow[], readonly ServiceTypeRow[]>();

function sumsOf(rows: readonly TotalsRow[]): readonly ServiceTypeRow[] {
  const before = summed.get(rows);
  if (before !== undefined) return before;
  const services = new Map<string, { -readonly [K in keyof ServiceTypeRow]: ServiceTypeRow[K] }[]>();
  for (const { service, type, profiles, latestMs } of rows) {
    const types = services.get(service) ?? [];
    if (types.length === 0) services.set(service, types);
    const sum = types.find((each) => each.type === type);
    if (sum === undefined) types.push({ service, type, profiles, latestMs });
    else {
      sum.profiles += profiles;
      sum.latestMs = Math.max(sum.latestMs, latestMs);
    }
  }
  const sums = [...services.values()].flat();
  summed.set(rows, sums);
  return sums;
}

/** Profiles by type; `service` empty means all. */
export async function countsByType(
  columns: Totals,
  { service, ...range }: Range & { readonly service: string },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { type, profiles } of await rowsOf(columns, range, service))
    counts.set(type, (counts.get(type) ?? 0) + profiles);
  return counts;
}
