import { limits, routeTime } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Context } from "#context";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { rangeOf, secondsOf, toWholeMinutes } from "#http/query/time-range.ts";
import { query } from "#store/column/query.ts";
import { Count, MinuteRange } from "#store/column/values.ts";
import { readCpu, readLabels, readWaits } from "./read-parts.ts";
import { routeLabel } from "./route-label.ts";

export function registerRouteTime(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, routeTime, getRouteTime);
}

/** The mean latency of a route, and how much of it profiles explain. */
const getRouteTime: Operation<typeof routeTime> = async (
  ctx,
  { orgId },
  { service, path, method: asked, label: name, label_value: value, ...times },
) => {
  const range = toWholeMinutes(rangeOf(times, ctx.now()));
  const scope = { orgId, service, from: new Date(range.fromMs), to: new Date(range.toMs) };
  const [methods, labels] = await Promise.all([
    ctx.columns.query(methodsOfPath, { orgId, service, path, ...secondsOf(range) }),
    readLabels(ctx, scope),
  ]);
  const only = methods.length === 1 ? methods[0]!.method : "";
  const method = asked ?? only;
  const label = routeLabel(labels, { method, path }, { name, value });
  const ofLabel = label?.method || (only === method ? only : "");
  const route = { path, method: label === undefined ? method : ofLabel };
  const subject = { scope, route, label };
  const [cpu, { lock, wait }] = await Promise.all([readCpu(ctx, subject), readWaits(ctx, subject)]);
  const counted = methods.filter((each) => route.method === "" || each.method === route.method);
  const requests = counted.reduce((sum, each) => sum + each.requests, 0);
  const seconds = counted.reduce((sum, each) => sum + each.seconds, 0);
  return {
    service,
    from: scope.from.toISOString(),
    to: scope.to.toISOString(),
    path,
    method: route.method || null,
    methods: methods.map((each) => ({ method: each.method, requests: each.requests })),
    requests,
    mean_seconds: requests === 0 ? null : seconds / requests,
    label: label === undefined ? null : { name: label.name, value: label.value },
    labels: labels
      .slice(0, limits.labelKeysMax)
      .map((each) => ({ name: each.name, values: each.values.slice(0, limits.labelValuesMax) })),
    parts: [
      { part: "cpu", ...cpu },
      { part: "lock", ...lock },
      { part: "wait", ...wait },
    ],
  };
};

const methodsMax = 20;

const methodsOfPath = query({
  name: "route-time.methods",
  isCacheable: true,
  sql: `SELECT method, sum(requests) AS requests, sum(duration_seconds) AS seconds
        FROM http_totals_1m
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND path = {path:String}
          AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
        GROUP BY method
        ORDER BY requests DESC, method
        LIMIT ${methodsMax}`,
  params: MinuteRange.extend({ path: z.string() }),
  row: z.object({ method: z.string(), requests: Count, seconds: z.number() }),
});
