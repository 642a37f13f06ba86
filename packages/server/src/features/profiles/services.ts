import type { listServices as call, InputOf, ReplyOf, ServiceTotals, StoredType } from "@flamekeep/contract";
import type { Actor, Context } from "#context";
import { noSize, pageOf, prefixSize } from "#http/query/page.ts";
import { listedRange, rangeOf, trendBuckets, withRangeBefore } from "#http/query/time-range.ts";
import { healthOf, openAlertsByService, type ReadOpenAlerts } from "#store/profiles/open-alerts.ts";
import type { SenderStates } from "#store/profiles/sending/sender-states.ts";
import { countsByDisplayType, readMarks, separateCounts } from "#store/profiles/separate-types.ts";
import { cpuByService } from "#store/profiles/service-cpu.ts";
import { type ServiceTypeRow, servicesByType } from "#store/profiles/service-totals.ts";

/** With what the order by alerts needs. */
export interface ServicesContext extends Context {
  readonly senderStates: SenderStates;
  readonly readOpenAlerts: ReadOpenAlerts;
}

type Query = InputOf<typeof call>;

interface Service {
  readonly name: string;
  latestMs: number;
  total: number;
  readonly byType: Map<StoredType, number>;
}

/** One page of the services of a range, and the totals of all of them. */
export async function listServices(
  ctx: ServicesContext,
  { orgId }: Actor,
  query: Query,
): Promise<ReplyOf<typeof call>> {
  const now = ctx.now();
  const range = { orgId, ...listedRange(query, now) };
  const [rows, sizeOf, alerts] = await Promise.all([
    servicesByType(ctx.columns, { ...range, now }),
    readSizes(ctx, orgId, query),
    query.include_totals ? ctx.readOpenAlerts(orgId) : [],
  ]);
  const all = [...toServices(rows).values()];
  const words = wordsOf(query);
  const matching = all.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const { page, next } = pageOf(
    matching,
    (service) => ({ size: sizeOf(service), name: service.name }),
    query,
  );
  const isCountingMarks = query.include_totals && rows.some(({ type }) => type === "custom");
  const marks = isCountingMarks ? await readMarks(ctx.columns, { ...range, service: "" }) : [];
  const marksOf = Map.groupBy(marks, ({ service }) => service);
  const displayed = ({ name, byType }: Service) =>
    countsByDisplayType(byType, separateCounts(marksOf.get(name) ?? []));
  return {
    services: page.map(
      (service): ServiceTotals => ({
        name: service.name,
        last_activity: new Date(service.latestMs).toISOString(),
        ...(query.include_totals && {
          total_profiles: service.total,
          profiles_by_type: Object.fromEntries(service.byType),
          profiles_by_display_type: displayed(service),
        }),
      }),
    ),
    next_cursor: next,
    total: matching.length,
    totals: {
      services: all.length,
      last_activity: latestOf(all),
      ...(query.include_totals && {
        profiles_by_display_type: countsByDisplayType(countsByType(rows), separateCounts(marks)),
        open_alerts: alerts.length,
        services_with_alerts: new Set(alerts.map(({ service }) => service)).size,
      }),
    },
  };
}

function wordsOf({ q }: Query): string[] {
  return q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

function toServices(rows: readonly ServiceTypeRow[]): Map<string, Service> {
  const services = new Map<string, Service>();
  for (const row of rows) {
    const service = services.get(row.service) ?? {
      name: row.service,
      latestMs: row.latestMs,
      total: 0,
      byType: new Map<StoredType, number>(),
    };
    services.set(row.service, service);
    service.latestMs = Math.max(service.latestMs, row.latestMs);
    service.total += row.profiles;
    service.byType.set(row.type as StoredType, row.profiles);
  }
  return services;
}

function countsByType(rows: readonly ServiceTypeRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { type, profiles } of rows) counts.set(type, (counts.get(type) ?? 0) + profiles);
  return counts;
}

function latestOf(services: readonly Service[]): string | null {
  if (services.length === 0) return null;
  return new Date(Math.max(...services.map(({ latestMs }) => latestMs))).toISOString();
}

/** By which the largest services come first. */
async function readSizes(
  ctx: ServicesContext,
  orgId: string,
  query: Query,
): Promise<(service: Service) => number> {
  switch (query.order) {
    case "name": {
      const [first = ""] = wordsOf(query);
      return ({ name }) => prefixSize(name, first);
    }
    case "activity":
      return ({ latestMs }) => latestMs;
    case "profiles":
      // Batches of HTTP metrics are not profiles.
      return ({ total, byType }) => total - (byType.get("metrics") ?? 0);
    case "alerts":
      return readAlertSizes(ctx, orgId);
    case "cpu":
    case "change": {
      const buckets = trendBuckets(rangeOf(query, ctx.now()));
      const cpu = await cpuByService(ctx.columns, { orgId, ...withRangeBefore(buckets) });
      return ({ name }) => {
        const { current = null, previous = null } = cpu.get(name) ?? {};
        if (query.order === "cpu") return current ?? noSize;
        return current === null || previous === null || previous === 0 ? noSize : current / previous;
      };
    }
  }
}

const healthRanks = { healthy: 0, warning: 1, critical: 2 } as const;
/** More than a service has alerts. */
const rankSize = 1e6;

/** Silent and critical services before those that only have more alerts. */
async function readAlertSizes(
  { readOpenAlerts, senderStates }: ServicesContext,
  orgId: string,
): Promise<(service: Service) => number> {
  const [alerts, senders] = await Promise.all([readOpenAlerts(orgId), senderStates.read(orgId)]);
  const alertsOf = new Map(openAlertsByService(alerts).map((each) => [each.service, each]));
  const silent = new Set(senders.filter(({ state }) => state === "silent").map(({ service }) => service));
  return ({ name }) => {
    const own = alertsOf.get(name);
    const rank = silent.has(name) ? healthRanks.critical : healthRanks[healthOf(own)];
    return rank * rankSize + (own?.count ?? 0);
  };
}
