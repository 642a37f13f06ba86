import { hourMs } from "@flamekeep/contract/durations";
import { measuredSampleTypes } from "@flamekeep/profile";
import type { Observed } from "#alerts/detect/detector.ts";
import { measuredTypes, measureOf } from "#alerts/detect/measure.ts";
import { parkedFunctions } from "#alerts/detect/parked-functions.ts";
import { emptySeries, type Span, toSeries } from "#alerts/detect/series.ts";
import type { Context } from "#context";
import { points, requestMinutes } from "./queries.ts";

export interface ObservedSeries {
  readonly service: string;
  readonly type: string;
  readonly sampleType: string;
  readonly observed: Observed;
}

/** A snapshot has no rate if the one before it is older than this. */
const gapMsMax = 6 * hourMs;

/** Reads every series of the organization, in the span and at the same hours of the seven days before. */
export async function observeSeries(
  ctx: Context,
  orgId: string,
  { fromMs, toMs }: Span,
): Promise<ObservedSeries[]> {
  const [rows, requests] = await Promise.all([
    ctx.columns.query(points, {
      orgId,
      fromMs,
      toMs,
      sampleTypes: measuredTypes.flatMap((type) => measuredSampleTypes[type]),
      totalsOf: measuredTypes.filter((type) => type !== "block"),
      gauges: measuredTypes.filter((type) => measureOf(type).kind === "gauge"),
      parked: [...parkedFunctions],
      gapMsMax,
    }),
    ctx.columns.query(requestMinutes, { orgId, fromMs, toMs }),
  ]);
  const byService = new Map(requests.map((row) => [row.service, seriesOf(row)]));
  const all = rows.map((row) => ({ row, values: seriesOf(row) }));
  return all.map(({ row: { service, type, sampleType }, values }) => ({
    service,
    type,
    sampleType,
    observed: {
      values,
      requests: byService.get(service) ?? emptySeries,
      siblings: all.flatMap(({ row, values: other }) =>
        row.service === service && row.type !== type ? [other] : [],
      ),
      riseMin: measureOf(type).riseMin,
    },
  }));
}

function seriesOf({ at, value }: { readonly at: readonly number[]; readonly value: readonly number[] }) {
  return toSeries(at.map((ms, index): [number, number] => [ms, value[index]!]));
}
