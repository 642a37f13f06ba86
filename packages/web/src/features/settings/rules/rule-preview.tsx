import type { RulePreview } from "@flamekeep/contract";
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ChartMarker, ChartSeries } from "#charts/model/chart.ts";
import { type ChartUnit, unitMeasure } from "#charts/model/units.ts";
import { TimeSeries } from "#charts/time-series.tsx";
import { measureText } from "#format/measure.ts";
import { exactTime, timeBetween } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { conditionOf, type Draft, problemsOf } from "./draft.ts";
import { previewText, type SignalOption } from "./model.ts";

interface RulePreviewPanelProps {
  readonly query: UseQueryResult<RulePreview>;
  readonly draft: Draft;
}

/** The last week with the threshold, and what the rule would have done. */
export function RulePreviewPanel({ query, draft }: RulePreviewPanelProps) {
  return (
    <section aria-label="Preview" className="-mx-1 min-w-0 rounded-control border border-line p-3">
      <Panel query={query} loading={<Skeleton className="h-48" />} errorTitle="Failed to load the preview">
        {(preview) => <Preview preview={preview} draft={draft} />}
      </Panel>
    </section>
  );
}

function Preview({ preview, draft }: { readonly preview: RulePreview; readonly draft: Draft }) {
  const zone = useZone();
  const { signal } = draft;
  const threshold = problemsOf(draft).length === 0 ? conditionOf(draft)?.threshold : undefined;
  const chart = useMemo(() => previewChart(preview, signal, threshold), [preview, signal, threshold]);
  return (
    <>
      <p className="mb-2 font-medium">
        {threshold === undefined && preview.minutes_with_values > 0
          ? "The last 7 days. Enter a threshold to preview its alerts."
          : previewText(preview)}
      </p>
      {preview.minutes_with_values > 0 && (
        <TimeSeries
          label={`${signal.label} of ${draft.service} in the last 7 days`}
          heightPx={150}
          zone={zone}
          {...chart}
        />
      )}
      {threshold !== undefined && <Openings preview={preview} signal={signal} />}
    </>
  );
}

const openingsShown = 5;

function Openings({ preview, signal }: { readonly preview: RulePreview; readonly signal: Draft["signal"] }) {
  const zone = useZone();
  const { alerts, alerts_total: total } = preview;
  if (alerts.length === 0) return null;
  const { unit, factor } = chartScale(signal, preview.unit);
  return (
    <ul className="mt-2 flex flex-col gap-0.5 text-label text-muted">
      {alerts.slice(0, openingsShown).map(({ opened_at: opened, resolved_at: resolved, value }) => (
        <li key={opened}>
          {exactTime(opened, zone)} at {measureText(unitMeasure(value * factor, unit))}
          {resolved === null ? ", open until now" : `, for ${timeBetween(opened, resolved)}`}
        </li>
      ))}
      {total > openingsShown && <li>and {total - openingsShown} earlier</li>}
    </ul>
  );
}

interface ChartScale {
  readonly unit: ChartUnit;
  /** How many of the chart's unit one of the signal's unit is. */
  readonly factor: number;
}

const scales: Readonly<Record<string, ChartScale>> = {
  bytes: { unit: "bytes", factor: 1 },
  "bytes per second": { unit: "bytesPerSecond", factor: 1 },
  seconds: { unit: "seconds", factor: 1 },
  ratio: { unit: "percent", factor: 100 },
  "nanoseconds per second": { unit: "nanoseconds", factor: 1 },
  nanoseconds: { unit: "nanoseconds", factor: 1 },
};

/** How a chart shows the values of a signal. */
export function chartScale({ profileType }: SignalOption, unit: string): ChartScale {
  if (profileType === "cpu" && unit === "nanoseconds per second") return { unit: "cores", factor: 1e-9 };
  return scales[unit] ?? { unit: unit.endsWith("per second") ? "perSecond" : "count", factor: 1 };
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
