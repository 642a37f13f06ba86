import type { ColumnStore, TotalsRow } from "#store/column/column-store.ts";

export interface ServiceTypeRow {
  readonly service: string;
  readonly type: string;
  readonly profiles: number;
  /** Start of the latest profile; at most the present time, even if the sender's clock is ahead. */
  readonly latestMs: number;
}

export interface ServiceTotals {
  readonly service: string;
  readonly types: readonly ServiceTypeRow[];
  /** Without batches of HTTP metrics. */
  readonly profiles: number;
  readonly latestMs: number;
}

export interface ServicesTotals {
  readonly services: readonly ServiceTotals[];
  readonly byName: ReadonlyMap<string, ServiceTotals>;
  /** Batches of HTTP metrics have a type, too. */
  readonly countsByType: ReadonlyMap<string, number>;
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

/** Number of profiles and start of the latest one, by service and type. The same result is returned as long as it stays true. */
export async function totalsOfServices(columns: Totals, range: Range, service = ""): Promise<ServicesTotals> {
  const totals = summedOnce(await rowsOf(columns, range, { service, detail: "services" }));
  const nowMs = range.now.getTime();
  if (totals.services.every(({ latestMs }) => latestMs <= nowMs)) return totals;
  return toTotals(
    totals.services.flatMap(({ types }) =>
      types.map((row) => ({ ...row, latestMs: Math.min(row.latestMs, nowMs) })),
    ),
  );
}

async function rowsOf(
  columns: Totals,
  { orgId, fromMs, toMs, now }: Range,
  rows: { readonly service: string; readonly detail: "services" | "types" },
): Promise<readonly TotalsRow[]> {
  const [from, to] = [fromMs / 1000, toMs / 1000];
  const range = { orgId, now, ...rows };
  if (toMs > now.getTime()) return columns.profileTotals({ ...range, starts: [from] });
  const all = await columns.profileTotals({ ...range, starts: [from, to] });
  return all.filter(({ startSeconds }) => startSeconds < to);
}

/** While no profile arrives, the store returns the same rows. */
const summed = new WeakMap<readonly TotalsRow[], ServicesTotals>();

function summedOnce(rows: readonly TotalsRow[]): ServicesTotals {
  const totals = summed.get(rows) ?? toTotals(rows);
  summed.set(rows, totals);
  return totals;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Sums = Writable<Omit<ServiceTotals, "types">> & { readonly types: Writable<ServiceTypeRow>[] };

function toTotals(rows: readonly ServiceTypeRow[]): ServicesTotals {
  const byName = new Map<string, Sums>();
  const countsByType = new Map<string, number>();
  for (const { service, type, profiles, latestMs } of rows) {
    let sums = byName.get(service);
    if (sums === undefined) {
      sums = { service, types: [], profiles: 0, latestMs };
      byName.set(service, sums);
    }
    const ofType = sums.types.find((each) => each.type === type);
    if (ofType === undefined) sums.types.push({ service, type, profiles, latestMs });
    else {
      ofType.profiles += profiles;
      ofType.latestMs = Math.max(ofType.latestMs, latestMs);
    }
    if (type !== "metrics") sums.profiles += profiles;
    sums.latestMs = Math.max(sums.latestMs, latestMs);
    countsByType.set(type, (countsByType.get(type) ?? 0) + profiles);
  }
  return { services: [...byName.values()], byName, countsByType };
}

export interface TypeCounts {
  readonly byType: ReadonlyMap<string, number>;
  /** Start of the latest profile, which may be ahead of the present time. */
  readonly latestMs: number;
}

/** Profiles by type; `service` empty means all. */
export async function countsByType(
  columns: Totals,
  { service, ...range }: Range & { readonly service: string },
): Promise<TypeCounts> {
  const byType = new Map<string, number>();
  let latestMs = range.fromMs;
  for (const row of await rowsOf(columns, range, { service, detail: "types" })) {
    byType.set(row.type, (byType.get(row.type) ?? 0) + row.profiles);
    latestMs = Math.max(latestMs, row.latestMs);
  }
  return { byType, latestMs };
}
