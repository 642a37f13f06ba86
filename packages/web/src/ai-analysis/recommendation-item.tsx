import type { Recommendation } from "@flamekeep/contract";
import { useId, useState } from "react";
import { Badge } from "#ui/content/badge.tsx";
import { CodeBlock } from "#ui/content/code-block.tsx";
import { ExpandButton } from "#ui/controls/expand-button.tsx";
import { cx } from "#ui/cx.ts";
import { Evidence } from "./evidence.tsx";
import { FeedbackActions } from "./feedback-actions.tsx";
import { categoryLabels, confidenceText, effectText, type FindFunction, priorityTones } from "./model.ts";
import type { GivenFeedback } from "./use-analysis.ts";

interface RecommendationItemProps {
  readonly recommendation: Recommendation;
  readonly isOpenAtFirst: boolean;
  readonly onFind: FindFunction;
  readonly onFeedback: (given: Pick<GivenFeedback, "state" | "reason">) => void;
}

export function RecommendationItem(props: RecommendationItemProps) {
  const { recommendation, isOpenAtFirst, onFind, onFeedback } = props;
  const { priority, category, confidence, issue, impact, feedback } = recommendation;
  const isDismissed = feedback?.state === "dismissed";
  const [isOpen, setIsOpen] = useState(isOpenAtFirst && !isDismissed);
  const bodyId = useId();
  return (
    <li className={cx("px-4 py-3", isDismissed && "text-muted")}>
      <div className="flex items-start gap-2">
        <ExpandButton
          content="the solution"
          contentId={bodyId}
          isOpen={isOpen}
          onToggle={() => setIsOpen(!isOpen)}
          className="mt-px"
        />
        <div className="min-w-0 flex-1">
          <h3 className="mt-0.5 max-w-[75ch] font-semibold [overflow-wrap:anywhere]">{issue}</h3>
          <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">
            <Badge tone={isDismissed ? "neutral" : priorityTones[priority]}>{priority} priority</Badge>
            <Badge>{categoryLabels[category]}</Badge>
            <span className="text-label text-muted">{confidenceText(confidence)}</span>
            <StateBadge feedback={feedback} />
          </div>
          <p className="mt-1.5 max-w-[90ch] [overflow-wrap:anywhere]">{impact}</p>
          <Effect recommendation={recommendation} />
          <Evidence evidence={recommendation.evidence} isOpen={isOpen} onFind={onFind} />
          <div id={bodyId} hidden={!isOpen} className="mt-3 flex flex-col gap-3">
            <Solution recommendation={recommendation} />
            <FeedbackActions feedback={feedback} onFeedback={onFeedback} />
          </div>
        </div>
      </div>
    </li>
  );
}

function StateBadge({ feedback }: Pick<Recommendation, "feedback">) {
  if (feedback === null) return null;
  if (feedback.state === "done") return <Badge tone="ok">Done</Badge>;
  return <Badge title={feedback.reason ?? ""}>Dismissed</Badge>;
}

/** Whether it helped. */
function Effect({ recommendation }: { readonly recommendation: Recommendation }) {
  const text = effectText(recommendation);
  if (text === undefined) return null;
  const status = recommendation.feedback?.effect?.status;
  const tone =
    status === "improved" ? "text-ok-text" : status === "worse" ? "text-critical-text" : "text-muted";
  return <p className={cx("mt-1", tone)}>{text}</p>;
}

function Solution({
  recommendation: { solution, code_example: code },
}: Pick<RecommendationItemProps, "recommendation">) {
  return (
    <div>
      <h4 className="mb-1 font-medium text-label text-muted">Solution</h4>
      <p className="max-w-[75ch] whitespace-pre-line [overflow-wrap:anywhere]">{solution}</p>
      {code !== undefined && (
        <div className="mt-3">
          <h4 className="mb-1 font-medium text-label text-muted">Code example</h4>
          <CodeBlock code={code} label="Copy the code" />
        </div>
      )}
    </div>
  );
}
