import type { Analysis } from "@flamekeep/contract";
import { CircleAlert, Sparkles } from "lucide-react";
import type { ReactNode } from "react";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Spinner } from "#ui/content/spinner.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { AnalysisHistory } from "./analysis-history.tsx";
import { CompletedAnalysis } from "./completed-analysis.tsx";
import { type FindFunction, isRunning } from "./model.ts";
import type { Subject } from "./subject.ts";
import { useAnalysis } from "./use-analysis.ts";

interface AnalysisCardProps {
  readonly subject: Subject;
  /** The subject in a sentence, as in `this profile`. */
  readonly name: string;
  /** Finds a function in the flame graph. */
  readonly onFind: FindFunction;
  /** Shown in the card's header. */
  readonly actions?: ReactNode;
}

/** Starts analyses of a subject and shows their recommendations. */
export function AnalysisCard({ actions, ...props }: AnalysisCardProps) {
  return (
    <Card className="@container min-w-0" id="ai-analysis">
      <AnalysisView
        {...props}
        header={(about, rerun) => (
          <CardHeader
            title="AI Analysis"
            detail={about}
            actions={
              <div className="flex flex-wrap gap-2">
                {actions}
                {rerun}
              </div>
            }
          />
        )}
      />
    </Card>
  );
}

interface AnalysisViewProps extends Omit<AnalysisCardProps, "actions"> {
  /** Gets the analyser with the time, and the button that analyses again. */
  readonly header?: (about: ReactNode, rerun: ReactNode) => ReactNode;
}

/** The content of the card, for places that already have a frame. */
export function AnalysisView({ subject, name, onFind, header }: AnalysisViewProps) {
  const { history, current, choose, start, feedback } = useAnalysis(subject);
  const run = () => start.mutate();
  const isBusy = start.isPending || isRunning(current);
  const rerun = current?.status === "completed" && (
    <Button size="sm" disabled={isBusy} onClick={run}>
      Re-analyze
    </Button>
  );
  return (
    <>
      {header?.(current && <About analysis={current} />, rerun)}
      {start.error && <StartFailure error={start.error} />}
      <Panel
        query={history}
        loading={<AnalysisSkeleton />}
        errorTitle="Failed to load analysis history"
        empty={() =>
          current === undefined ? <StartOffer name={name} isStarting={start.isPending} onStart={run} /> : null
        }
      >
        {(analyses) =>
          current && (
            <>
              <AnalysisState analysis={current} onRetry={run}>
                <CompletedAnalysis
                  key={current.id}
                  analysis={current}
                  onFind={onFind}
                  onFeedback={feedback}
                />
              </AnalysisState>
              <AnalysisHistory analyses={analyses} currentId={current.id} onChoose={choose} />
            </>
          )
        }
      </Panel>
    </>
  );
}

const providerNames = {
  builtin: "Built-in rules",
  anthropic: "Anthropic",
  openai: "OpenAI-compatible model",
};

/** Analyzer and time. */
function About({ analysis }: { readonly analysis: Analysis }) {
  return (
    <>
      {providerNames[analysis.llm_provider]}
      {analysis.model && ` · ${analysis.model}`} ·{" "}
      <RelativeTime at={analysis.completed_at ?? analysis.created_at} />
    </>
  );
}

function StartFailure({ error }: { readonly error: Error }) {
  return (
    <p role="alert" className="mx-4 mb-3 rounded-control border border-critical/30 bg-critical/8 px-3 py-2">
      Failed to start analysis. Please try again. <span className="text-muted">{error.message}</span>
    </p>
  );
}

interface StartOfferProps {
  readonly name: string;
  readonly isStarting: boolean;
  readonly onStart: () => void;
}

function StartOffer({ name, isStarting, onStart }: StartOfferProps) {
  return (
    <Message
      icon={Sparkles}
      title={`Find out what to improve in ${name}`}
      actions={
        <Button variant="primary" disabled={isStarting} onClick={onStart}>
          {isStarting ? "Starting…" : "Start Analysis"}
        </Button>
      }
    >
      <p>
        You get recommendations with the functions they are about, the share they cost and a solution in code.
      </p>
    </Message>
  );
}

interface AnalysisStateProps {
  readonly analysis: Analysis;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

/** The recommendations of a completed analysis, otherwise its progress or failure. */
function AnalysisState({ analysis, onRetry, children }: AnalysisStateProps) {
  if (analysis.status === "completed") return children;
  if (analysis.status === "failed") {
    return (
      <Message
        icon={CircleAlert}
        tone="critical"
        title="Analysis failed"
        actions={<Button onClick={onRetry}>Try Again</Button>}
      >
        {analysis.error && <p>{analysis.error}</p>}
      </Message>
    );
  }
  return (
    <div className="flex min-h-48 flex-col items-center justify-center gap-1 p-6">
      <Spinner label={runningTexts[analysis.status]} />
      <p className="text-label text-muted">This usually takes 2-10 seconds</p>
    </div>
  );
}

const runningTexts = {
  pending: "Analysis queued for processing...",
  processing: "AI is analyzing your profile...",
};

function AnalysisSkeleton() {
  return (
    <div role="status" aria-label="Loading analyses" className="flex min-h-48 flex-col gap-3 p-4">
      {["w-2/5", "w-4/5", "w-3/5"].map((width) => (
        <Skeleton key={width} className={`h-6 ${width}`} />
      ))}
    </div>
  );
}
