import type { RulePreview } from "@flamekeep/contract";
import type { ChartMarker, ChartSeries } from "#charts/chart.ts";
import type { ChartUnit } from "#charts/model/units.ts";
import type { SignalOption } from "./model.ts";

/** How a chart shows the values of a signal. */
export function chartScale({ profileType }: SignalOption, unit: string): { unit: ChartUnit; factor: number } {
  switch (unit) {
    case "bytes":
      return { unit: "bytes", factor: 1 };
    case "bytes per second":
      return { unit: "bytesPerSecond", factor: 1 };
    case "seconds":
      return { unit: "seconds", factor: 1 };
    case "ratio":
      return { unit: "percent", factor: 100 };
    case "nanoseconds per second":
      return profileType === "cpu" ? { unit: "cores", factor: 1e-9 } : { unit: "nanoseconds", factor: 1 };
    case "nanoseconds":
      return { unit: "nanoseconds", factor: 1 };
    default:
      return { unit: unit.endsWith("per second") ? "perSecond" : "count", factor: 1 };
  }
}

interface PreviewChart {
  readonly timesMs: readonly number[];
  readonly bucketMs: number;
  readonly unit: ChartUnit;
  readonly series: readonly ChartSeries[];
  readonly markers: readonly ChartMarker[];
}

/** The values of a week with a line at the threshold, if there is one, and a mark where an alert would have opened. */
export function previewChart(
  preview: RulePreview,
  signal: SignalOption,
  threshold: number | undefined,
): PreviewChart {
  const bucketMs = preview.bucket_seconds * 1000;
  const fromMs = Date.parse(preview.from);
  const { unit, factor } = chartScale(signal, preview.unit);
  const line = threshold === undefined ? [] : [thresholdLine(preview, threshold * factor)];
  return {
    timesMs: preview.values.map((_, index) => fromMs + index * bucketMs),
    bucketMs,
    unit,
    series: [
      {
        id: "value",
        label: signal.label,
        values: preview.values.map((value) => (value === null ? null : value * factor)),
      },
      ...line,
    ],
    markers:
      threshold === undefined
        ? []
        : preview.alerts.map(({ opened_at: at }) => ({
            atMs: Date.parse(at),
            kind: "alert" as const,
            label: "An alert would have opened",
          })),
  };
}

function thresholdLine({ values }: RulePreview, threshold: number): ChartSeries {
  return { id: "threshold", label: "Threshold", values: values.map(() => threshold), color: "critical" };
}
