import { toLinkParams } from "@flamekeep/flame";
import type { ComparisonMeta } from "@flamekeep/flame/compare";
import { AnalysisCard } from "#ai-analysis/analysis-card.tsx";
import { analysisSubjectOf } from "#comparison/model.ts";
import { bringIntoView, viewOfFunction } from "#flame-graph/frame/wanted-function.ts";
import type { Compare } from "./use-compare.ts";

interface CompareAnalysisProps {
  readonly compare: Compare;
  readonly meta: ComparisonMeta;
}

/** Advice about what changed between two ranges of one service. */
export function CompareAnalysis({ compare, meta }: CompareAnalysisProps) {
  const subject = analysisSubjectOf(compare.search, meta);
  if (subject === undefined) return null;
  return (
    <AnalysisCard
      key={JSON.stringify(subject)}
      subject={subject}
      offer="Find out what changed and what to do"
      onFind={(name, sampleType) => {
        const { zoom, focus, callers, transforms, q, fn } = toLinkParams(viewOfFunction(compare.view, name));
        const type = sampleTypeNamed(meta, sampleType) ?? compare.search.sample_type;
        compare.change({ zoom, focus, callers, transforms, q, fn, sample_type: type });
        bringIntoView(name);
      }}
    />
  );
}

/** `cpu/nanoseconds` of `cpu`. */
function sampleTypeNamed({ sampleTypes }: ComparisonMeta, name: string | undefined): string | undefined {
  return sampleTypes.find((each) => name !== undefined && each.startsWith(`${name}/`));
}
