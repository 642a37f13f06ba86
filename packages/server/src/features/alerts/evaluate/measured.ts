import { hourMs } from "@flamekeep/contract/durations";
import type { Span } from "#alerts/detect/series/series.ts";
import { customSeries, type WatchedSeries, watchedSeries } from "#alerts/detect/watched/measure.ts";
import type { Context } from "#context";
import { customSampleTypes } from "./queries.ts";

/** A snapshot has no rate if the one before it is older than this. */
export const gapMsMax = 6 * hourMs;
/** Programs may send any number of sample types; those with the most profiles are watched. */
const customTypesMax = 200;

export type Measured = ReturnType<typeof measuredBy>;

/** The watched series of an organization, as the parameters that all queries of values share. */
export async function getMeasured(ctx: Context, orgId: string, { fromMs, toMs }: Span): Promise<Measured> {
  const rows = await ctx.columns.query(customSampleTypes, { orgId, fromMs, toMs, limit: customTypesMax });
  return measuredBy([...watchedSeries, ...rows.flatMap(({ sampleType }) => customSeries(sampleType) ?? [])]);
}

function measuredBy(series: readonly WatchedSeries[]) {
  const totalled = series.filter(({ type }) => type !== "block");
  return {
    totalsOf: [...new Set(totalled.map(({ type }) => type))],
    watched: totalled.map(seriesName),
    gauges: totalled.filter(({ kind }) => kind === "gauge").map(seriesName),
    /** Of logarithms, in the order of `watched`. */
    floors: totalled.map(({ riseMin }) => riseMin),
    gapMsMax,
  };
}

/** As the queries name it: `memory alloc_space/bytes`. */
export function seriesName({ type, sampleType }: { readonly type: string; readonly sampleType: string }) {
  return `${type} ${sampleType}`;
}
