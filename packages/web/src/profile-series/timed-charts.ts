import { type ServiceSeries, spanMs } from "@flamekeep/contract";
import { type Buckets, joinBuckets, joinFactor } from "./buckets.ts";
import { type DrawnChart, drawnChart } from "./lines.ts";

/** A chart with the buckets that it is drawn in. */
export interface TimedChart extends DrawnChart {
  readonly type: ServiceSeries["charts"][number]["type"];
  readonly sampleTypes: readonly string[];
  /** As `type/unit`. */
  readonly sampleType: string;
  readonly timesMs: readonly number[];
  readonly bucketMs: number;
}

interface Look {
  readonly isStacked: boolean;
  /** Whether somebody chose the width of the buckets: then it stays. */
  readonly isChosen: boolean;
}

/** The charts of a reply, ready to draw. */
export function timedCharts(data: ServiceSeries, { isStacked, isChosen }: Look): TimedChart[] {
  const [fromMs, toMs] = [Date.parse(data.from), Date.parse(data.to)];
  const widthMs = spanMs(data.bucket)!;
  const [wholeFromMs, wholeToMs] = [Date.parse(data.complete_from), Date.parse(data.complete_to)];
  const requested = { fromMs, widthMs, count: (toMs - fromMs) / widthMs };
  const startsOf = sharedStarts();
  return data.charts.map((chart) => {
    const factor = isChosen ? 1 : joinFactor(requested, [chart]);
    const { buckets, charts } = joinBuckets(requested, [chart], factor);
    const joined = charts[0]!;
    const starts = startsOf(buckets);
    const isWhole = (at: number) => starts[at]! >= wholeFromMs && starts[at]! + buckets.widthMs <= wholeToMs;
    const look = {
      groupBy: data.group_by ?? data.group_by_label,
      isStacked,
      width: widthText(buckets.widthMs),
      isWhole,
    };
    return {
      ...drawnChart(joined, look),
      type: chart.type,
      sampleTypes: chart.sample_types,
      sampleType: chart.sample_type,
      timesMs: starts,
      bucketMs: buckets.widthMs,
    };
  });
}

/** Charts with the same buckets share the array of their starts. */
function sharedStarts(): (buckets: Buckets) => readonly number[] {
  const made = new Map<number, number[]>();
  return ({ fromMs, widthMs, count }) => {
    let starts = made.get(widthMs);
    if (starts === undefined) {
      starts = Array.from({ length: count }, (_, at) => fromMs + at * widthMs);
      made.set(widthMs, starts);
    }
    return starts;
  };
}

/** `15 min`, `4 h` or `7 d`. */
export function widthText(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes % 1440 === 0) return `${minutes / 1440} d`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}
