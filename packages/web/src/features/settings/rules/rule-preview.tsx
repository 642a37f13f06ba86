import type { RulePreview } from "@flamekeep/contract";
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { unitMeasure } from "#charts/model/units.ts";
import { TimeSeries } from "#charts/time-series.tsx";
import { measureText } from "#format/measure.ts";
import { exactTime, timeBetween } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { conditionOf, type Draft, problemsOf } from "./draft.ts";
import { previewText } from "./model.ts";
import { chartScale, previewChart } from "./preview-chart.ts";

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
          ? "The last 7 days. Enter a threshold to see the alerts that it would have opened."
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
      {total > openingsShown && <li>and {total - openingsShown} more before</li>}
    </ul>
  );
}
