import type { Analysis } from "@flamekeep/contract";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { Message } from "#ui/content/message.tsx";
import { TabCount, Tabs } from "#ui/controls/tabs.tsx";
import { AskPanel } from "./ask-panel.tsx";
import { byState, type FindFunction } from "./model.ts";
import { RecommendationItem } from "./recommendation-item.tsx";
import { SummaryTab } from "./summary-tab.tsx";
import type { GivenFeedback } from "./use-analysis.ts";

export interface CompletedAnalysisProps {
  readonly analysis: Analysis;
  readonly onFind: FindFunction;
  readonly onFeedback: (given: GivenFeedback) => void;
}

export function CompletedAnalysis({ analysis, onFind, onFeedback }: CompletedAnalysisProps) {
  const [tab, setTab] = useState<"recommendations" | "summary">("recommendations");
  return (
    <>
      <Tabs
        label="Analysis"
        value={tab}
        onChange={setTab}
        isFlush
        items={[
          {
            value: "recommendations",
            label: (
              <>
                Recommendations
                <TabCount value={String(analysis.recommendations.length)} />
              </>
            ),
          },
          { value: "summary", label: "Summary" },
        ]}
      >
        {tab === "summary" ? (
          <SummaryTab analysis={analysis} />
        ) : (
          <Recommendations analysis={analysis} onFind={onFind} onFeedback={onFeedback} />
        )}
      </Tabs>
      {analysis.can_ask && <AskPanel analysis={analysis} />}
    </>
  );
}

export function Recommendations({ analysis, onFind, onFeedback }: CompletedAnalysisProps) {
  if (analysis.recommendations.length === 0) {
    return (
      <Message
        icon={CircleCheck}
        title={analysis.summary?.is_clean ? "No issues detected" : "No recommendations"}
      >
        <p>{analysis.summary?.estimated_improvement}</p>
      </Message>
    );
  }
  return (
    <ol aria-label="Recommendations" className="divide-y divide-line">
      {byState(analysis.recommendations).map((recommendation, index) => (
        <RecommendationItem
          key={recommendation.id}
          recommendation={recommendation}
          isOpenAtFirst={index === 0}
          onFind={onFind}
          onFeedback={(given) =>
            onFeedback({ analysisId: analysis.id, recommendationId: recommendation.id, ...given })
          }
        />
      ))}
    </ol>
  );
}
