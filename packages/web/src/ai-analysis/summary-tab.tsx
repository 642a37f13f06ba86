import type { Analysis } from "@flamekeep/contract";
import { durationMsMeasure, type Measure, measureText } from "#format/measure.ts";
import { countMeasure, exactCount, plural } from "#format/number.ts";
import { ExactTime, Quantity } from "#ui/content/values.tsx";

/** The figures of a completed analysis. */
export function SummaryTab({ analysis }: { readonly analysis: Analysis }) {
  const { summary } = analysis;
  if (summary === null) return null;
  return (
    <div className="p-4">
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-control border border-line bg-line @2xl:grid-cols-4">
        <Figure label="Total issues" value={countMeasure(summary.total_issues)} />
        <Figure label="High priority" value={countMeasure(summary.high_priority)} />
        <Figure label="Analysis time" value={durationMsMeasure(analysis.processing_time_ms ?? 0)} />
        <Figure label="Tokens used" value={countMeasure(analysis.tokens_used)} />
      </dl>
      <p className="mt-3">
        <span className="text-muted">Estimated improvement:</span> {summary.estimated_improvement}
      </p>
      <div className="mt-1">
        <AboutAnalysis analysis={analysis} />
      </div>
    </div>
  );
}

/** The analyzer and the analyzed profiles. */
export function AboutAnalysis({ analysis }: { readonly analysis: Analysis }) {
  return (
    <div className="text-label text-muted">
      <p>{aboutText(analysis)}</p>
      {analysis.range !== null && <RangeText analysis={analysis} />}
    </div>
  );
}

function Figure({ label, value }: { readonly label: string; readonly value: Measure }) {
  return (
    <div className="bg-surface px-4 py-3">
      <dt className="text-label text-muted">{label}</dt>
      <dd className="mt-0.5 font-semibold text-page tracking-tight">
        <Quantity value={value} />
      </dd>
    </div>
  );
}

function aboutText({
  llm_provider: provider,
  model,
  processing_time_ms: ms,
  tokens_used: tokens,
}: Analysis): string {
  const by = provider === "builtin" ? "built-in rules (no language model)" : (model ?? provider);
  const used = tokens > 0 ? ` and ${exactCount(tokens)} tokens` : "";
  return `Analyzed by ${by} in ${measureText(durationMsMeasure(ms ?? 0))}${used}.`;
}

function RangeText({ analysis: { range, baseline } }: { readonly analysis: Analysis }) {
  if (range === null) return null;
  return (
    <p className="mt-1">
      {range.profiles !== null && `${plural(range.profiles, "profile")} merged, `}
      <ExactTime at={range.from} /> to <ExactTime at={range.to} />
      {baseline && (
        <>
          , compared with <ExactTime at={baseline.from} /> to <ExactTime at={baseline.to} />
        </>
      )}
      .
    </p>
  );
}
