import { functionLink, type Recommendation } from "@flamekeep/contract";
import { useId, useState } from "react";
import { percentText } from "#format/number.ts";
import { useMayChange } from "#session/session.ts";
import { Badge } from "#ui/content/badge.tsx";
import { CodeBlock } from "#ui/content/code-block.tsx";
import { FunctionName } from "#ui/content/function-name.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { ExpandButton } from "#ui/controls/expand-button.tsx";
import { cx } from "#ui/cx.ts";
import { DismissDialog } from "./dismiss-dialog.tsx";
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
  if (feedback.state === "accepted") return <Badge tone="accent">Accepted</Badge>;
  return <Badge title={feedback.reason ?? ""}>Dismissed</Badge>;
}

/** Whether it helped. */
function Effect({ recommendation }: { readonly recommendation: Recommendation }) {
  const text = effectText(recommendation.feedback?.effect);
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

type RecommendationEvidence = Recommendation["evidence"];
type EvidenceFunction = RecommendationEvidence["functions"][number];

interface EvidenceProps {
  readonly evidence: RecommendationEvidence;
  /** Shows all functions and the call path, otherwise only the first function. */
  readonly isOpen: boolean;
  readonly onFind: FindFunction;
}

/** The functions that a recommendation is about. A click finds one in the flame graph. */
function Evidence({ evidence, isOpen, onFind }: EvidenceProps) {
  const { functions, path, sample_type: sampleType } = evidence;
  const find = (name: string) => onFind(name, sampleType);
  const visible = isOpen ? functions : functions.slice(0, 1);
  if (visible.length === 0) return null;
  return (
    <div className="mt-2">
      <ul aria-label="Evidence" className="flex flex-col gap-0.5">
        {visible.map((each) => (
          <FunctionRow key={functionLink(each)} evidence={each} onFind={find} />
        ))}
      </ul>
      {isOpen && path.length > 1 && <CallPath path={path} onFind={find} />}
    </div>
  );
}

interface FunctionRowProps {
  readonly evidence: EvidenceFunction;
  readonly onFind: (functionName: string) => void;
}

function FunctionRow({ evidence, onFind }: FunctionRowProps) {
  const { name, file, line, self_percent: self, total_percent: total, verified } = evidence;
  return (
    <li className="flex min-w-0 flex-wrap items-baseline gap-x-3">
      <FunctionName name={name} linkText={functionLink(evidence)} {...(verified && { onFind })} />
      {verified ? (
        <span className="text-label text-muted">
          {percentText(total)} total, {percentText(self)} self
        </span>
      ) : (
        <Badge title="A language model named this function, but the profile does not contain it">
          not in the profile
        </Badge>
      )}
      {file !== "" && (
        <span className="text-label text-muted" title={file}>
          {lineOf(file, line)}
        </span>
      )}
    </li>
  );
}

function lineOf(file: string, line: number): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return line > 0 ? `${name}:${line}` : name;
}

interface CallPathProps {
  readonly path: readonly string[];
  readonly onFind: (functionName: string) => void;
}

function CallPath({ path, onFind }: CallPathProps) {
  return (
    <details className="mt-2">
      <summary className="w-fit cursor-pointer rounded-badge text-label text-muted hover:text-text">
        Call path, {path.length} frames
      </summary>
      <ol
        aria-label="Call path, root first"
        className="mt-1 rounded-control border border-line bg-bg px-3 py-2"
      >
        {path.map((name, level) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a path never changes, and a function may occur twice in it
          <li key={level} className="flex min-w-0">
            <FunctionName name={name} onFind={onFind} />
          </li>
        ))}
      </ol>
    </details>
  );
}

type FeedbackInput = Pick<GivenFeedback, "state" | "reason">;

interface FeedbackActionsProps {
  readonly feedback: Recommendation["feedback"];
  readonly onFeedback: (given: FeedbackInput) => void;
}

/** Buttons that mark a recommendation as done, dismiss it or undo that. People who may only read get none. */
function FeedbackActions({ feedback, onFeedback }: FeedbackActionsProps) {
  const mayChange = useMayChange();
  const [isDismissing, setIsDismissing] = useState(false);
  if (feedback !== null)
    return <FeedbackState feedback={feedback} mayChange={mayChange} onFeedback={onFeedback} />;
  if (!mayChange) return null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" onClick={() => onFeedback({ state: "done" })}>
        Mark as Done
      </Button>
      <Button size="sm" variant="ghost" onClick={() => onFeedback({ state: "accepted" })}>
        Accept
      </Button>
      <Button size="sm" variant="ghost" onClick={() => setIsDismissing(true)}>
        Dismiss
      </Button>
      {isDismissing && (
        <DismissDialog
          onDismiss={(reason) => {
            setIsDismissing(false);
            onFeedback({ state: "dismissed", reason });
          }}
          onClose={() => setIsDismissing(false)}
        />
      )}
    </div>
  );
}

interface FeedbackStateProps extends FeedbackActionsProps {
  readonly feedback: NonNullable<Recommendation["feedback"]>;
  readonly mayChange: boolean;
}

const feedbackTexts = { accepted: "Accepted", done: "Done", dismissed: "Dismissed" };
const undoTexts = { accepted: "Not accepted", done: "Not done", dismissed: "Restore" };

function FeedbackState({ feedback, mayChange, onFeedback }: FeedbackStateProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 text-label text-muted">
      <span className="[overflow-wrap:anywhere]">
        {feedbackTexts[feedback.state]} <RelativeTime at={feedback.at} />
        {feedback.reason && `: ${feedback.reason}`}
      </span>
      {mayChange && feedback.state === "accepted" && (
        <Button size="sm" onClick={() => onFeedback({ state: "done" })}>
          Mark as Done
        </Button>
      )}
      {mayChange && (
        <Button size="sm" variant="ghost" onClick={() => onFeedback({ state: "open" })}>
          {undoTexts[feedback.state]}
        </Button>
      )}
    </div>
  );
}
