import { httpRouteOf } from "@flamekeep/contract";
import type { Span } from "#alerts/detect/series/series.ts";
import { gapMsMax } from "#alerts/evaluate/measured.ts";
import { isGaugeSeries, type RuleSeries } from "#alerts/row/stored-rule.ts";
import type { MinuteValue } from "#alerts/rules/threshold.ts";
import type { Context } from "#context";
import { profileMinutes, type RequestMinutes, requestMinutesOf, routeMinutesOf } from "./value-queries.ts";

interface Columns {
  readonly at: readonly number[];
  readonly value: readonly number[];
}

/** The values of each series by minute, ascending, in the order of the series. One read for profiles, one for the requests of services, and one for those of routes. */
export async function minuteValues(
  ctx: Context,
  orgId: string,
  series: readonly RuleSeries[],
  span: Span,
): Promise<MinuteValue[][]> {
  const range = { orgId, ...span };
  const [ofProfiles, ofRequests] = await Promise.all([
    readProfiles(ctx, range, series),
    readRequests(ctx, range, series),
  ]);
  return series.map((each) => toValues(each.signal === "profile" ? ofProfiles.get(each) : ofRequests(each)));
}

type Range = Span & { readonly orgId: string };

async function readProfiles(
  ctx: Context,
  range: Range,
  series: readonly RuleSeries[],
): Promise<ReadonlyMap<RuleSeries, Columns>> {
  const read = series.flatMap((each) => {
    const { signal, profileType: type, sampleType } = each;
    return signal === "profile" && type !== null && sampleType !== null ? [{ each, type, sampleType }] : [];
  });
  if (read.length === 0) return new Map();
  const tagged = read.flatMap(({ each: { tags } }, index) =>
    Object.entries(tags).map(([name, value]) => ({ place: index + 1, name, value })),
  );
  const rows = await ctx.columns.query(profileMinutes, {
    ...range,
    services: read.map(({ each }) => each.service),
    types: read.map(({ type }) => type),
    sampleTypes: read.map(({ sampleType }) => sampleType),
    gauges: read.map(({ sampleType }) => Number(isGaugeSeries(sampleType))),
    taggedPlaces: tagged.map(({ place }) => place),
    tagNames: tagged.map(({ name }) => name),
    tagValues: tagged.map(({ value }) => value),
    gapMsMax,
  });
  return new Map(rows.map((row) => [read[row.place - 1]!.each, row]));
}

async function readRequests(
  ctx: Context,
  range: Range,
  series: readonly RuleSeries[],
): Promise<(series: RuleSeries) => Columns | undefined> {
  const ofRequests = series.filter(({ signal }) => signal !== "profile");
  const [ofServices, ofRoutes] = await Promise.all([
    readServices(
      ctx,
      range,
      ofRequests.filter(({ route }) => route === null),
    ),
    readRoutes(ctx, range, ofRequests),
  ]);
  return (each) => {
    const row = each.route === null ? ofServices.get(each.service) : ofRoutes.get(each);
    return row && { at: row.at, value: valuesOf(row, each.signal) };
  };
}

function valuesOf(row: RequestMinutes, signal: RuleSeries["signal"]): readonly number[] {
  return {
    http_p95: row.p95s,
    http_error_rate: row.errorRates,
    http_request_rate: row.requestRates,
    profile: [],
  }[signal];
}

async function readServices(
  ctx: Context,
  range: Range,
  series: readonly RuleSeries[],
): Promise<ReadonlyMap<string, RequestMinutes>> {
  const services = [...new Set(series.map(({ service }) => service))];
  if (services.length === 0) return new Map();
  const rows = await ctx.columns.query(requestMinutesOf, { ...range, services });
  return new Map(rows.map((row) => [row.service, row]));
}

async function readRoutes(
  ctx: Context,
  range: Range,
  series: readonly RuleSeries[],
): Promise<ReadonlyMap<RuleSeries, RequestMinutes>> {
  const read = series.flatMap((each) => (each.route === null ? [] : [{ each, ...httpRouteOf(each.route) }]));
  if (read.length === 0) return new Map();
  const rows = await ctx.columns.query(routeMinutesOf, {
    ...range,
    services: read.map(({ each }) => each.service),
    methods: read.map(({ method }) => method),
    paths: read.map(({ path }) => path),
  });
  return new Map(rows.map((row) => [read[row.place - 1]!.each, row]));
}

function toValues(columns: Columns | undefined): MinuteValue[] {
  return columns?.at.map((atMs, index) => ({ atMs, value: columns.value[index]! })) ?? [];
}
