import type { SeriesChart } from "@flamekeep/contract";
import type { ChartSeries } from "#charts/model/chart.ts";
import { typeColor } from "#charts/model/colours.ts";
import { wholeSums } from "#charts/model/series.ts";
import type { ChartUnit } from "#charts/model/units.ts";
import { plural } from "#format/number.ts";
import { nanosecondsPer, sampleTypeLabel } from "#format/sample-value.ts";
import { sumsOf } from "./buckets.ts";

/** A chart as lines of one unit. */
export interface DrawnChart {
  readonly title: string;
  /** How a point comes about, for the chart's subtitle. */
  readonly detail: string;
  readonly unit: ChartUnit;
  readonly series: readonly ChartSeries[];
}

interface Look {
  readonly groupBy: string | null;
  readonly isStacked: boolean;
  /** `5 min`, for sums. */
  readonly width: string;
  /** Whether a bucket is over and lies in the range. */
  isWhole(bucket: number): boolean;
}

/** The name of the sample type without its unit. */
export function nameOf(sampleType: string): string {
  return sampleType.slice(0, sampleType.lastIndexOf("/"));
}

function unitOf(sampleType: string): string {
  return sampleType.slice(sampleType.lastIndexOf("/") + 1);
}

/** CPU time is shown as the cores of one instance, because that does not depend on how often profiles are taken. */
export function drawnChart(chart: SeriesChart, { groupBy, isStacked, width, isWhole }: Look): DrawnChart {
  const { sample_type: sampleType, aggregation } = chart;
  const perUnit = nanosecondsPer[unitOf(sampleType)];
  const title = sampleTypeLabel(nameOf(sampleType));
  const isCpu = chart.type === "cpu" && perUnit !== undefined;
  // Shares of all durations can be stacked.
  const wholeMs = isCpu && isStacked ? sumsOf(chart, "durations_ms") : undefined;
  const values = (line: Line) => {
    if (isCpu) return cores(line, perUnit, wholeMs ?? line.durations_ms);
    return perUnit === undefined || perUnit === 1
      ? line.values
      : line.values.map((value) => (value === null ? null : value * perUnit));
  };
  const lines = seriesOf(chart, groupBy, title);
  const drawn = lines.map(({ line }) => values(line));
  // Means, and cores over the time that was measured, are right for a part of a bucket too.
  const whole = isCpu || aggregation === "mean" ? drawn : wholeSums(drawn, isWhole);
  return {
    title,
    detail: isCpu
      ? "Mean of one instance"
      : aggregation === "mean"
        ? "Mean of the profiles"
        : `Sum of each ${width}`,
    unit: isCpu
      ? "cores"
      : perUnit !== undefined
        ? "nanoseconds"
        : unitOf(sampleType) === "bytes"
          ? "bytes"
          : "count",
    series: lines.map(({ line: _, ...series }, at) => ({ ...series, values: whole[at]! })),
  };
}

type Line = Pick<SeriesChart["lines"][number], "values" | "durations_ms">;

function seriesOf(chart: SeriesChart, groupBy: string | null, title: string) {
  if (groupBy === null) {
    const color = typeColor(chart.type);
    return chart.lines.map((line) => ({ id: "all", label: title, color, line }));
  }
  const named = chart.lines.map((line) => ({
    id: `=${line.value}`,
    label: line.value === "" ? `No ${groupBy}` : line.value,
    line,
  }));
  if (chart.other === null) return named;
  const label = `Other (${plural(chart.other.groups, "value")})`;
  return [...named, { id: "other", label, color: "muted" as const, line: chart.other }];
}

function cores(line: Line, perUnit: number, durationsMs: readonly number[]): (number | null)[] {
  return line.values.map((value, at) => {
    const durationMs = durationsMs[at] ?? 0;
    return value === null || durationMs === 0 ? null : (value * perUnit) / (durationMs * 1e6);
  });
}
