import { httpGroupings, httpPathOrders } from "@flamekeep/contract";
import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count, MinuteRange } from "#store/column/values.ts";
import { inMinutes, inRange, ofService } from "./request-queries.ts";

const inHours =
  "hour >= toDateTime({fromSeconds:UInt32}, 'UTC') AND hour < toDateTime({toSeconds:UInt32}, 'UTC')";
const Range = MinuteRange.omit({ service: true });
const ofOrganization = "org_id = {orgId:UUID}";
/** All services if the list is empty. */
const ofServices = `${ofOrganization} AND (empty({services:Array(String)}) OR service IN {services:Array(String)})`;

/** Quantiles from the histograms, such as `0.95, 0.99`: the middle of the bin. */
export function quantilesOfBins(levels: string): string {
  return `arrayMap(bin -> if(bin = -32768, 0., 2 * pow(1.02, bin) / 2.02),
     quantilesExactWeighted(${levels})(bin, held)) AS quantiles`;
}

const Services = Range.extend({ services: z.array(z.string()) });

/** One row: the number of requests and of failed ones. */
export const requestCounts = query({
  name: "http.counts",
  isCacheable: true,
  sql: `SELECT sum(requests) AS total, sum(requests_4xx) AS clientErrors, sum(requests_5xx) AS serverErrors
        FROM http_service_totals_1m
        WHERE ${ofService} AND ${inMinutes}`,
  params: MinuteRange,
  row: z.object({ total: Count, clientErrors: Count, serverErrors: Count }),
});

const Groups = MinuteRange.extend({ groupBy: z.enum([...httpGroupings, "all"]), limit: z.int() });

const GroupRow = z.object({
  name: z.string(),
  requests: Count,
  seconds: z.number(),
  /** p95 and p99 in seconds. */
  quantiles: z.tuple([z.number(), z.number()]),
  errors: Count,
});
export type GroupRow = z.output<typeof GroupRow>;

/** From the requests themselves; quantileExact takes index floor(q * count). @param group the group of a request */
const exact = (scope: string, group: string) =>
  `SELECT ${group} AS name, count() AS requests, sum(duration_seconds) AS seconds,
          quantilesExact(0.95, 0.99)(duration_seconds) AS quantiles, countIf(status_code >= 400) AS errors
        FROM http_requests
        WHERE ${scope} AND ${inRange}
        GROUP BY name
        ORDER BY requests DESC, name
        LIMIT {limit:UInt32}`;

/** Most requests first. */
export const exactGroups = query({
  name: "http.groups-exact",
  isCacheable: true,
  sql: exact(
    ofService,
    `multiIf({groupBy:String} = 'path', path, {groupBy:String} = 'method', method,
            {groupBy:String} = 'all', '', status_code BETWEEN 200 AND 599,
            concat(toString(intDiv(status_code, 100)), 'xx'), 'Other')`,
  ),
  params: Groups,
  row: GroupRow,
});

const ServiceGroups = Services.extend({ groupBy: z.enum(["service", "all"]), limit: z.int() });
const serviceOrAll = "if({groupBy:String} = 'service', toString(service), '')";

/** The requests of services, by service or all together; most requests first. */
export const exactServices = query({
  name: "http.services-exact",
  isCacheable: true,
  sql: exact(ofServices, serviceOrAll),
  params: ServiceGroups,
  row: GroupRow,
});

/** @param scope the condition on organization and service */
function hoursQuery<P extends z.output<typeof Range>>(name: string, params: z.ZodType<P>, scope: string) {
  return query({
    name,
    isCacheable: true,
    sql: `SELECT toUnixTimestamp(hour) AS hourSeconds
          FROM (
            SELECT hour, service, sum(counted) = sum(summed) AS is_complete
            FROM (
              SELECT toStartOfHour(minute) AS hour, service, requests AS counted, 0 AS summed
              FROM http_service_totals_1m
              WHERE ${scope} AND minute >= toStartOfHour(toDateTime({fromSeconds:UInt32} + 3599, 'UTC'))
                AND minute < toStartOfHour(toDateTime({toSeconds:UInt32}, 'UTC'))
              UNION ALL
              SELECT hour, service, 0 AS counted, requests AS summed
              FROM http_totals_1h
              WHERE ${scope} AND ${inHours}
            )
            GROUP BY hour, service
          )
          GROUP BY hour
          HAVING min(is_complete)`,
    params,
    row: z.object({ hourSeconds: z.int() }),
  });
}

/** Whole hours of a range whose roll-up has the same count as their minutes. */
export const rolledHours = hoursQuery("http.rolled-hours", MinuteRange, ofService);

/** The same, of some services. */
export const rolledHoursOfServices = hoursQuery("http.rolled-hours-of-services", Services, ofServices);

/** Bins of histograms: of the given hours, and of minutes for the rest. */
const bins = (scope: string, columns: string) =>
  `SELECT ${columns}, status_class, duration_seconds, durations.1 AS bins, durations.2 AS counts
          FROM http_totals_1h
          WHERE ${scope} AND ${inHours} AND toUnixTimestamp(hour) IN {hours:Array(UInt32)}
          UNION ALL
          SELECT ${columns}, status_class, duration_seconds, durations.1 AS bins, durations.2 AS counts
          FROM http_totals_1m
          WHERE ${scope} AND ${inMinutes} AND toUnixTimestamp(toStartOfHour(minute)) NOT IN {hours:Array(UInt32)}`;

/** @param group the group of a row of `source` */
const binned = (source: string, group: string) =>
  `SELECT ${group} AS name, sum(held) AS requests, sumIf(duration_seconds, place = 1) AS seconds,
          ${quantilesOfBins("0.95, 0.99")},
          sumIf(held, status_class >= 4) AS errors
        FROM (
          ${source}
        )
        ARRAY JOIN bins AS bin, counts AS held, arrayEnumerate(bins) AS place
        GROUP BY name
        ORDER BY requests DESC, name
        LIMIT {limit:UInt32}`;

/** As `exactGroups`, from histograms. */
export const binnedGroups = query({
  name: "http.groups-binned",
  isCacheable: true,
  sql: binned(
    bins(ofService, "path, method"),
    `multiIf({groupBy:String} = 'path', path, {groupBy:String} = 'method', method,
            {groupBy:String} = 'all', '', status_class BETWEEN 2 AND 5,
            concat(toString(status_class), 'xx'), 'Other')`,
  ),
  params: Groups.extend({ hours: z.array(z.int()) }),
  row: GroupRow,
});

/** As `exactServices`, from histograms. */
export const binnedServices = query({
  name: "http.services-binned",
  isCacheable: true,
  sql: binned(bins(ofServices, "service"), serviceOrAll),
  params: ServiceGroups.extend({ hours: z.array(z.int()) }),
  row: GroupRow,
});

/** One row. */
export const requestsOfServices = query({
  name: "http.services-count",
  isCacheable: true,
  sql: `SELECT sum(requests) AS total
        FROM http_service_totals_1m
        WHERE ${ofServices} AND ${inMinutes}`,
  params: Services,
  row: z.object({ total: Count }),
});

const Paths = Range.extend({ order: z.enum(httpPathOrders), limit: z.int() });

const PathRow = GroupRow.omit({ name: true }).extend({
  service: z.string(),
  path: z.string(),
  /** Paths of the range, the same in every row. */
  paths: Count,
});
export type PathRow = z.output<typeof PathRow>;

/** @param groups the requests by service and path */
function pathsQuery<P extends z.output<typeof Paths>>(name: string, params: z.ZodType<P>, groups: string) {
  return query({
    name,
    isCacheable: true,
    sql: `SELECT service, path, requests, seconds, quantiles, errors, count() OVER () AS paths
          FROM (${groups})
          ORDER BY multiIf({order:String} = 'slowest', quantiles[1], {order:String} = 'errors', toFloat64(errors), 0.) DESC,
            requests DESC, service, path
          LIMIT {limit:UInt32}`,
    params,
    row: PathRow,
  });
}

/** From the requests themselves; quantileExact takes index floor(q * count). */
export const exactPaths = pathsQuery(
  "http.paths-exact",
  Paths,
  `SELECT service, path, count() AS requests, sum(duration_seconds) AS seconds,
     quantilesExact(0.95, 0.99)(duration_seconds) AS quantiles, countIf(status_code >= 400) AS errors
   FROM http_requests
   WHERE ${ofOrganization} AND ${inRange}
   GROUP BY service, path`,
);

/** As `exactPaths`, from histograms: the middle of the bin. */
export const binnedPaths = pathsQuery(
  "http.paths-binned",
  Paths.extend({ hours: z.array(z.int()) }),
  `SELECT service, path, sum(held) AS requests, sumIf(duration_seconds, place = 1) AS seconds, ${quantilesOfBins("0.95, 0.99")},
     sumIf(held, status_class >= 4) AS errors
   FROM (
     ${bins(ofOrganization, "service, path")}
   )
   ARRAY JOIN bins AS bin, counts AS held, arrayEnumerate(bins) AS place
   GROUP BY service, path`,
);
