import * as calls from "@flamekeep/contract";
import {
  type HttpGrouping,
  type InputOf,
  limits,
  type RequestOfPath,
  storedTypeOf,
} from "@flamekeep/contract";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import {
  bucketsOf,
  completeSpan,
  isoRange,
  listedRange,
  rangeBefore,
  rangeOf,
  secondsOf,
  type TimeRange,
  toWholeMinutes,
} from "#http/query/time-range.ts";
import { queryOne } from "#store/column/query.ts";
import { servicesOfProject } from "#store/profiles/project-services.ts";
import {
  noAggregates,
  toAggregates,
  toHttpPoints,
  toHttpSummary,
  toMetric,
  withStatuses,
} from "./present.ts";
import {
  errorsOfPath,
  latestErrors,
  latestOfPath,
  latestRequests,
  profilesAround,
  type RequestRow,
  slowestOfPath,
} from "./request-queries.ts";
import {
  binnedQuantiles,
  exactQuantiles,
  intervalCounts,
  intervalStatuses,
  routeCounts,
  routeQuantiles,
  sentHistograms,
} from "./timeline-queries.ts";
import {
  binnedGroups,
  binnedPaths,
  binnedServices,
  exactGroups,
  exactPaths,
  exactServices,
  type GroupRow,
  requestCounts,
  requestsOfServices,
  rolledHours,
  rolledHoursOfServices,
} from "./total-queries.ts";

export function registerHttpMetrics(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listHttpMetrics, listHttpMetrics);
  serve(app, ctx, calls.listPathMetrics, listPathMetrics);
  serve(app, ctx, calls.aggregateHttpMetrics, aggregateHttpMetrics);
  serve(app, ctx, calls.listHttpPaths, listHttpPaths);
  serve(app, ctx, calls.projectRequests, getProjectRequests);
  serve(app, ctx, calls.organizationRequests, getOrganizationRequests);
  serve(app, ctx, calls.listHttpErrors, listHttpErrors);
  serve(app, ctx, calls.httpTimeline, getHttpTimeline);
}

const listHttpMetrics: Operation<typeof calls.listHttpMetrics> = async (
  ctx,
  { orgId },
  { service, limit, ...times },
) => {
  const params = { orgId, service, ...secondsOf(listedRange(times, ctx.now())), limit };
  const rows = await ctx.columns.query(latestRequests, params);
  return { metrics: rows.map(toMetric) };
};

const listPathMetrics: Operation<typeof calls.listPathMetrics> = async (
  ctx,
  { orgId },
  { service, path, method = "", order, limit, profile_type: type, ...times },
) => {
  const params = { orgId, service, path, method, ...secondsOf(listedRange(times, ctx.now())), limit };
  const rows = await ctx.columns.query(pathQueries[order], params);
  const metrics = rows.map(toMetric);
  if (type === undefined) return { path, metrics };
  const profiles = await profilesOf(ctx, { orgId, service, type: storedTypeOf(type) }, rows);
  return { path, metrics: metrics.map((metric, at) => ({ ...metric, profile: profiles.get(at) ?? null })) };
};

const nearMs = limits.requestProfileMinutesMax * minuteMs;

/** The profile of each request, by its place in the list. */
async function profilesOf(
  ctx: Context,
  of: { readonly orgId: string; readonly service: string; readonly type: string },
  requests: readonly RequestRow[],
): Promise<ReadonlyMap<number, NonNullable<RequestOfPath["profile"]>>> {
  if (requests.length === 0) return new Map();
  const timesMs = requests.map(({ at }) => at.getTime());
  const rows = await ctx.columns.query(profilesAround, {
    ...of,
    timesMs,
    nearMs,
    // A profile of an hour may have begun that long before.
    fromMs: Math.min(...timesMs) - nearMs - hourMs,
    toMs: Math.max(...timesMs) + nearMs + 1,
  });
  return new Map(
    rows.map(({ place, profileId, startedAt, awayMs }) => [
      place - 1,
      { profile_id: profileId, timestamp: startedAt.toISOString(), covers: awayMs === 0 },
    ]),
  );
}

const pathQueries = { latest: latestOfPath, slowest: slowestOfPath, errors: errorsOfPath } as const;

/** Requests of a service by path, method or status: exact for few requests, else from histograms. */
const aggregateHttpMetrics: Operation<typeof calls.aggregateHttpMetrics> = async (
  ctx,
  { orgId },
  { service, group_by: grouping, ...times },
) => {
  const params = { orgId, service, ...secondsOf(listedRange(times, ctx.now())) };
  const counts = await queryOne(ctx.columns, requestCounts, params);
  const isApproximate = counts.total > limits.httpExactRequestsMax;
  const rolled = isApproximate ? await ctx.columns.query(rolledHours, params) : [];
  const hours = rolled.map(({ hourSeconds }) => hourSeconds);
  const groupsBy = (groupBy: HttpGrouping | "all", limit: number): Promise<GroupRow[]> =>
    isApproximate
      ? ctx.columns.query(binnedGroups, { ...params, hours, groupBy, limit })
      : ctx.columns.query(exactGroups, { ...params, groupBy, limit });
  const [rows, [total]] = await Promise.all([groupsBy(grouping, limits.httpGroupsMax), groupsBy("all", 1)]);
  return {
    aggregations: rows.map((row) => ({ [grouping]: row.name, ...toAggregates(row) })),
    total: total === undefined ? noAggregates : toAggregates(total),
    is_approximate: isApproximate,
  };
};

const getProjectRequests: Operation<typeof calls.projectRequests> = async (
  ctx,
  { orgId },
  { id, ...times },
) => {
  const services = await servicesOfProject(ctx.rows, orgId, id);
  const { rowsBy, isApproximate } = await readServices(ctx, { orgId, services, times });
  const [rows, [total]] = await Promise.all([rowsBy("service"), rowsBy("all")]);
  return {
    services: rows.map((row) => ({ service: row.name, ...toAggregates(row) })),
    total: total === undefined ? noAggregates : toAggregates(total),
    is_approximate: isApproximate,
  };
};

const getOrganizationRequests: Operation<typeof calls.organizationRequests> = async (
  ctx,
  { orgId },
  times,
) => {
  const { rowsBy, isApproximate } = await readServices(ctx, { orgId, services: [], times });
  const [total] = await rowsBy("all");
  return {
    total: total === undefined ? noAggregates : toAggregates(total),
    is_approximate: isApproximate,
  };
};

/** Requests of services. */
interface ServicesScope {
  readonly orgId: string;
  /** None for all services. */
  readonly services: string[];
  readonly times: InputOf<typeof calls.organizationRequests>;
}

/** Reads requests by service and together: exact for few requests, else from histograms. */
async function readServices(ctx: Context, scope: ServicesScope) {
  const { range, isApproximate, hours } = await countServices(ctx, scope);
  const { services } = scope;
  const limit = Math.max(1, services.length);
  const rowsBy = (groupBy: "service" | "all"): Promise<GroupRow[]> =>
    isApproximate
      ? ctx.columns.query(binnedServices, { ...range, services, hours, groupBy, limit })
      : ctx.columns.query(exactServices, { ...range, services, groupBy, limit });
  return { rowsBy, isApproximate };
}

/** Whether the requests of a range are too many to be read one by one, and then its hours with a roll-up. */
async function countServices(ctx: Context, { orgId, services, times }: ServicesScope) {
  const range = { orgId, ...secondsOf(listedRange(times, ctx.now())) };
  const counts = await queryOne(ctx.columns, requestsOfServices, { ...range, services });
  const isApproximate = counts.total > limits.httpExactRequestsMax;
  const rolled = isApproximate ? await ctx.columns.query(rolledHoursOfServices, { ...range, services }) : [];
  return { range, isApproximate, hours: rolled.map(({ hourSeconds }) => hourSeconds) };
}

/** Requests of all services by service and path: exact for few requests, else from histograms. */
const listHttpPaths: Operation<typeof calls.listHttpPaths> = async (
  ctx,
  { orgId },
  { order, limit, ...times },
) => {
  const { range, isApproximate, hours } = await countServices(ctx, { orgId, services: [], times });
  const rows = isApproximate
    ? await ctx.columns.query(binnedPaths, { ...range, hours, order, limit })
    : await ctx.columns.query(exactPaths, { ...range, order, limit });
  return {
    paths: rows.map((row) => ({ service: row.service, path: row.path, ...toAggregates(row) })),
    paths_total: rows[0]?.paths ?? 0,
    is_approximate: isApproximate,
  };
};

/** The number of failed requests, and the latest of them. */
const listHttpErrors: Operation<typeof calls.listHttpErrors> = async (
  ctx,
  { orgId },
  { service, limit, ...times },
) => {
  const params = { orgId, service, ...secondsOf(listedRange(times, ctx.now())) };
  const [{ clientErrors, serverErrors }, rows] = await Promise.all([
    queryOne(ctx.columns, requestCounts, params),
    ctx.columns.query(latestErrors, { ...params, limit }),
  ]);
  return {
    count: clientErrors + serverErrors,
    count_4xx: clientErrors,
    count_5xx: serverErrors,
    errors: rows.map(toMetric),
  };
};

/** Requests of a service, or of a method or path, in each interval of a range: exact for few requests, else from histograms. */
const getHttpTimeline: Operation<typeof calls.httpTimeline> = async (
  ctx,
  { orgId },
  { service, ...query },
) => {
  const now = ctx.now();
  const range = timelineRange(query, now);
  const buckets = bucketsOf(range, query.interval * minuteMs);
  const params = {
    orgId,
    service,
    // Only the requests of the range, so that totals agree with the other calls.
    ...secondsOf(toWholeMinutes(range)),
    bucketSeconds: buckets.widthMs / 1000,
    method: query.method ?? "",
    path: query.path ?? "",
  };
  const isWhole = query.method === undefined && query.path === undefined;
  const counts = await queryOne(ctx.columns, isWhole ? intervalCounts : routeCounts, params);
  const total = counts.requests.reduce((sum, requests) => sum + requests, 0);
  const isApproximate = total > limits.httpExactRequestsMax;
  const binned = isWhole ? binnedQuantiles : routeQuantiles;
  const [quantiles, [statuses], { batches }] = await Promise.all([
    ctx.columns.query(isApproximate ? binned : exactQuantiles, params),
    query.include_statuses ? ctx.columns.query(intervalStatuses, params) : [],
    queryOne(ctx.columns, sentHistograms, params),
  ]);
  const row = { ...counts, quantiles: new Map(quantiles.map((each) => [each.start, each.quantiles])) };
  const points = toHttpPoints(buckets, row);
  return {
    service,
    interval_minutes: buckets.widthMs / minuteMs,
    interval_widened: buckets.isWidened,
    ...isoRange(buckets),
    ...completeSpan(buckets, range, now),
    is_approximate: isApproximate,
    has_sent_histograms: batches > 0,
    data_points: statuses === undefined ? points : withStatuses(buckets, points, statuses),
    summary: toHttpSummary(row, points),
  };
};

/** A span `since` is counted back from the end of the range, unlike in the other calls. */
function timelineRange(
  { since, from, to, until = to }: Omit<InputOf<typeof calls.httpTimeline>, "service">,
  now: Date,
): TimeRange {
  return since === undefined ? rangeOf({ from, to: until }, now) : rangeBefore({ since, until }, now);
}
