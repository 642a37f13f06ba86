import { TabCount } from "#ui/controls/tabs.tsx";
import { AskPanel } from "./ask-panel.tsx";
import { ComparisonTable } from "./comparison-table.tsx";
import { comparisonSentence } from "./comparison-text.ts";
import { type CompletedAnalysisProps, Recommendations } from "./completed-analysis.tsx";
import { AboutAnalysis } from "./summary-tab.tsx";

/** A completed analysis of two ranges: what changed, then what to do. */
export function ComparedAnalysis({ analysis, onFind, onFeedback }: CompletedAnalysisProps) {
  const { comparison, recommendations } = analysis;
  return (
    <>
      {comparison !== null && (
        <section aria-labelledby="what-changed" className="px-4 pb-3">
          <h3 id="what-changed" className="font-semibold">
            What changed
          </h3>
          <p className="mt-0.5">{comparisonSentence(comparison)}</p>
          <ComparisonTable
            comparison={comparison}
            onFind={(name) => onFind(name, comparison.sample_type.split("/")[0])}
          />
        </section>
      )}
      <section aria-labelledby="what-to-do" className="border-line border-t">
        <h3 id="what-to-do" className="flex items-center gap-2 px-4 pt-3 font-semibold">
          What to do
          <TabCount value={String(recommendations.length)} />
        </h3>
        <Recommendations analysis={analysis} onFind={onFind} onFeedback={onFeedback} />
      </section>
      <div className="border-line border-t px-4 py-3">
        <AboutAnalysis analysis={analysis} />
      </div>
      {analysis.can_ask && <AskPanel analysis={analysis} />}
    </>
  );
}
