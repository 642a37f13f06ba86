import type { ColumnStore } from "#store/column/column-store.ts";

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

interface Sum {
  readonly service: string;
  readonly type: string;
  profiles: number;
  latestMs: number;
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
  const services = new Map<string, Sum[]>();
  for (const row of await columns.profileTotals({ orgId, service, starts, now, withFigures: false })) {
    if (row.startSeconds >= to) continue;
    const sums = services.get(row.service) ?? [];
    if (sums.length === 0) services.set(row.service, sums);
    const sum = sums.find(({ type }) => type === row.type);
    if (sum === undefined) {
      const { service, type, profiles, latestMs } = row;
      sums.push({ service, type, profiles, latestMs });
    } else {
      sum.profiles += row.profiles;
      sum.latestMs = Math.max(sum.latestMs, row.latestMs);
    }
  }
  const sums = [...services.values()].flat();
  const nowMs = now.getTime();
  for (const sum of sums) sum.latestMs = Math.min(sum.latestMs, nowMs);
  return sums;
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
