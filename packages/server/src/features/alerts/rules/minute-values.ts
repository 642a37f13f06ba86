import type { Span } from "#alerts/detect/series/series.ts";
import { gapMsMax } from "#alerts/evaluate/measured.ts";
import { isGaugeSeries, type RuleSeries } from "#alerts/row/stored-rule.ts";
import type { MinuteValue } from "#alerts/rules/threshold.ts";
import type { Context } from "#context";
import { profileMinutes, requestMinutesOf } from "./value-queries.ts";

interface Columns {
  readonly at: readonly number[];
  readonly value: readonly number[];
}

/** The values of each series by minute, ascending, in the order of the series. One read for profiles and one for requests. */
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
  const services = series.filter(({ signal }) => signal !== "profile").map(({ service }) => service);
  if (services.length === 0) return () => undefined;
  const rows = await ctx.columns.query(requestMinutesOf, { ...range, services: [...new Set(services)] });
  return ({ service, signal }) => {
    const row = rows.find((each) => each.service === service);
    if (row === undefined) return undefined;
    const values = {
      http_p95: row.p95s,
      http_error_rate: row.errorRates,
      http_request_rate: row.requestRates,
      profile: [],
    }[signal];
    return { at: row.at, value: values };
  };
}

function toValues(columns: Columns | undefined): MinuteValue[] {
  return columns?.at.map((atMs, index) => ({ atMs, value: columns.value[index]! })) ?? [];
}
