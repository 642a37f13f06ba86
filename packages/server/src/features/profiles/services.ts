import type { listServices as call, InputOf, ReplyOf, StoredType } from "@flamekeep/contract";
import type { Actor, Context } from "#context";
import { noSize, pageOf, searchOf } from "#http/query/page.ts";
import { listedRange, rangeOf, trendBuckets, withRangeBefore } from "#http/query/time-range.ts";
import { healthOf, type OpenAlertReads } from "#store/profiles/open-alerts.ts";
import type { SenderStates } from "#store/profiles/sending/sender-states.ts";
import { countsByDisplayType, readMarks, separateCounts } from "#store/profiles/separate-types.ts";
import { coresOf, sumsOfServices } from "#store/profiles/service-sums.ts";
import { type ServiceTotals, totalsOfServices } from "#store/profiles/service-totals.ts";

/** With what the order by alerts needs. */
export interface ServicesContext extends Context {
  readonly senderStates: SenderStates;
  readonly openAlerts: OpenAlertReads;
}

type Query = InputOf<typeof call>;

/** One page of the services of a range, and the totals of all of them. */
export async function listServices(
  ctx: ServicesContext,
  { orgId }: Actor,
  query: Query,
): Promise<ReplyOf<typeof call>> {
  const now = ctx.now();
  const range = { orgId, ...listedRange(query, now) };
  const [{ services: all, countsByType }, sizeOf, openAlerts] = await Promise.all([
    totalsOfServices(ctx.columns, { ...range, now }),
    readSizes(ctx, orgId, query),
    query.include_totals ? ctx.openAlerts.count(orgId) : undefined,
  ]);
  const search = searchOf(query.q);
  const matching = all.filter(({ service }) => search.isIn(service));
  const { page, next } = pageOf(matching, (each) => ({ size: sizeOf(each), name: each.service }), query);
  const isCountingMarks = query.include_totals && countsByType.has("custom");
  const marks = isCountingMarks ? await readMarks(ctx.columns, { ...range, service: "" }) : [];
  const marksOf = Map.groupBy(marks, ({ service }) => service);
  return {
    services: page.map(({ service: name, latestMs, types }) => {
      const byType = new Map(types.map(({ type, profiles }) => [type as StoredType, profiles]));
      return {
        name,
        last_activity: new Date(latestMs).toISOString(),
        ...(query.include_totals && {
          total_profiles: types.reduce((sum, { profiles }) => sum + profiles, 0),
          profiles_by_type: Object.fromEntries(byType),
          profiles_by_display_type: countsByDisplayType(byType, separateCounts(marksOf.get(name) ?? [])),
        }),
      };
    }),
    next_cursor: next,
    total: matching.length,
    totals: {
      services: all.length,
      last_activity: latestOf(all),
      ...(query.include_totals && {
        profiles_by_display_type: countsByDisplayType(countsByType, separateCounts(marks)),
      }),
      ...(openAlerts !== undefined && {
        open_alerts: openAlerts.alerts,
        services_with_alerts: openAlerts.services,
      }),
    },
  };
}

function latestOf(services: readonly ServiceTotals[]): string | null {
  if (services.length === 0) return null;
  return new Date(services.reduce((latest, { latestMs }) => Math.max(latest, latestMs), 0)).toISOString();
}

/** By which the largest services come first. */
async function readSizes(
  ctx: ServicesContext,
  orgId: string,
  query: Query,
): Promise<(service: ServiceTotals) => number> {
  switch (query.order) {
    case "name": {
      const search = searchOf(query.q);
      return ({ service }) => search.sizeOf(service);
    }
    case "activity":
      return ({ latestMs }) => latestMs;
    case "profiles":
      // Batches of HTTP metrics are not profiles.
      return ({ profiles }) => profiles;
    case "alerts":
      return readAlertSizes(ctx, orgId);
    case "cpu":
    case "change": {
      const { fromSeconds, currentSeconds, toSeconds } = withRangeBefore(
        trendBuckets(rangeOf(query, ctx.now())),
      );
      const range = {
        orgId,
        type: "cpu" as const,
        cuts: [fromSeconds, currentSeconds, toSeconds],
        now: ctx.now(),
      };
      const sums = await sumsOfServices(ctx.columns, range);
      const cpu = new Map(
        sums.map((each) => [each.service, { before: coresOf(each, 0), now: coresOf(each, 1) }]),
      );
      return ({ service }) => {
        const { before = null, now = null } = cpu.get(service) ?? {};
        if (query.order === "cpu") return now ?? noSize;
        return now === null || before === null || before === 0 ? noSize : now / before;
      };
    }
  }
}

const healthRanks = { healthy: 0, warning: 1, critical: 2 } as const;
/** More than a service has alerts. */
const rankSize = 1e6;

/** Silent and critical services before those that only have more alerts. */
async function readAlertSizes(
  { openAlerts, senderStates }: ServicesContext,
  orgId: string,
): Promise<(service: ServiceTotals) => number> {
  const [alerts, senders] = await Promise.all([openAlerts.byService(orgId), senderStates.read(orgId)]);
  const alertsOf = new Map(alerts.map((each) => [each.service, each]));
  const silent = new Set(senders.filter(({ state }) => state === "silent").map(({ service }) => service));
  return ({ service }) => {
    const own = alertsOf.get(service);
    const rank = silent.has(service) ? healthRanks.critical : healthRanks[healthOf(own)];
    return rank * rankSize + (own?.count ?? 0);
  };
}
