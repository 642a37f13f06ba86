import type { ColumnStore } from "#store/column/column-store.ts";

export interface ServiceTypeRow {
  readonly service: string;
  readonly type: string;
  readonly profiles: number;
  /** Start of the latest profile; at most the present time, even if the sender's clock is ahead. */
  readonly latest: Date;
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
  { orgId, fromMs, toMs, now }: Range,
  service = "",
): Promise<ServiceTypeRow[]> {
  const [from, to] = [fromMs / 1000, toMs / 1000];
  const starts = toMs > now.getTime() ? [from] : [from, to];
  const series = new Map<string, { service: string; type: string; profiles: number; latestMs: number }>();
  for (const row of await columns.profileTotals({ orgId, service, starts, now, withFigures: false })) {
    if (row.startSeconds >= to) continue;
    const key = `${row.type} ${row.service}`;
    const sum = series.get(key);
    if (sum === undefined) {
      series.set(key, {
        service: row.service,
        type: row.type,
        profiles: row.profiles,
        latestMs: row.latestMs,
      });
    } else {
      sum.profiles += row.profiles;
      sum.latestMs = Math.max(sum.latestMs, row.latestMs);
    }
  }
  return [...series.values()].map(({ latestMs, ...sum }) => ({
    ...sum,
    latest: new Date(Math.min(latestMs, now.getTime())),
  }));
}

/** Profiles by type; `service` empty means all. */
export async function countsByType(
  columns: Totals,
  { service, ...range }: Range & { readonly service: string },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { type, profiles } of await servicesByType(columns, range, service)) {
    counts.set(type, (counts.get(type) ?? 0) + profiles);
  }
  return counts;
}
