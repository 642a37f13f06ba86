import type { Analysis } from "@flamekeep/contract";
import { CircleAlert, Clock, Sparkles } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { plural } from "#format/number.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Spinner } from "#ui/content/spinner.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { ComparedAnalysis } from "./compared-analysis.tsx";
import { CompletedAnalysis } from "./completed-analysis.tsx";
import { type FindFunction, historyLengthMax } from "./model.ts";
import { isComparison, type Subject } from "./subject.ts";
import { type Polling, useAnalysis, useMayAnalyze } from "./use-analysis.ts";

interface AnalysisViewProps {
  readonly subject: Subject;
  /** The sentence that offers an analysis: `Find out what to improve in this profile`. */
  readonly offer: string;
  /** Finds a function in the flame graph. */
  readonly onFind: FindFunction;
  /** Gets the analyzer with the time, and the button that analyzes again. */
  readonly header: (about: ReactNode, rerun: ReactNode) => ReactNode;
}

interface AnalysisCardProps extends Omit<AnalysisViewProps, "header"> {
  /** Shown in the card's header. */
  readonly actions?: ReactNode;
}

const cardId = "ai-analysis";

/** A link to the card names it in its hash. The card is loaded after the page, when the router has looked for it already. */
function useScrollToHash() {
  useEffect(() => {
    if (location.hash === `#${cardId}`) document.getElementById(cardId)?.scrollIntoView({ block: "start" });
  }, []);
}

/** Starts analyses of a subject and shows their recommendations. */
export function AnalysisCard({ actions, ...props }: AnalysisCardProps) {
  useScrollToHash();
  return (
    <Card className="@container min-w-0 scroll-mt-[calc(var(--sticky-top,4rem)+0.75rem)]" id={cardId}>
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

/** The content of the card, for places that already have a frame. */
export function AnalysisView({ subject, offer, onFind, header }: AnalysisViewProps) {
  const { history, current, polling, choose, start, feedback } = useAnalysis(subject);
  const run = () => start.mutate();
  const isCompared = isComparison(subject);
  const Completed = isCompared ? ComparedAnalysis : CompletedAnalysis;
  const mayAnalyze = useMayAnalyze();
  const rerun = mayAnalyze && current?.status === "completed" && (
    <Button size="sm" disabled={start.isPending} onClick={run}>
      Re-analyze
    </Button>
  );
  const offerToStart = (
    <StartOffer title={offer} isComparison={isCompared} isStarting={start.isPending} onStart={run} />
  );
  return (
    <>
      {header(current && <About analysis={current} />, rerun)}
      {start.error && <StartFailure error={start.error} />}
      <Panel
        query={history}
        loading={<AnalysisSkeleton />}
        errorTitle="Failed to load analysis history"
        empty={() => (current === undefined ? offerToStart : null)}
      >
        {(analyses) =>
          current && (
            <>
              <AnalysisState analysis={current} polling={polling} onRetry={run}>
                <Completed key={current.id} analysis={current} onFind={onFind} onFeedback={feedback} />
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

function AnalysisSkeleton() {
  return (
    <div role="status" aria-label="Loading analyses" className="flex min-h-48 flex-col gap-3 p-4">
      {["w-2/5", "w-4/5", "w-3/5"].map((width) => (
        <Skeleton key={width} className={`h-6 ${width}`} />
      ))}
    </div>
  );
}

interface AnalysisHistoryProps {
  readonly analyses: readonly Analysis[];
  readonly currentId: string;
  readonly onChoose: (id: string) => void;
}

/** The latest analyses of the same subject; completed ones can be looked at again. */
function AnalysisHistory({ analyses, currentId, onChoose }: AnalysisHistoryProps) {
  if (analyses.length < 2) return null;
  const latest = analyses.slice(0, historyLengthMax);
  return (
    <details className="border-line border-t px-4 py-3">
      <summary className="w-fit cursor-pointer rounded-badge font-medium text-label text-muted hover:text-text">
        Analysis history ({latest.length})
      </summary>
      <ul className="mt-2 flex flex-col">
        {latest.map((analysis) => (
          <li key={analysis.id} className="flex h-9 items-center gap-3">
            <span className="w-28 shrink-0 text-muted">
              <RelativeTime at={analysis.created_at} />
            </span>
            <span className="min-w-0 flex-1 truncate">{outcomeOf(analysis)}</span>
            {analysis.id === currentId ? (
              <span className="text-label text-muted">Shown above</span>
            ) : (
              analysis.status === "completed" && (
                <Button size="sm" variant="ghost" onClick={() => onChoose(analysis.id)}>
                  View
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function outcomeOf({ status, summary, llm_provider: provider }: Analysis): string {
  const by = provider === "builtin" ? "built-in rules" : provider;
  if (status !== "completed" || summary === null) return `${status}, ${by}`;
  const issues = summary.total_issues === 0 ? "No issues detected" : plural(summary.total_issues, "issue");
  return `${issues}, ${by}`;
}

interface StartOfferProps {
  /** The sentence that offers the analysis. */
  readonly title: string;
  readonly isComparison: boolean;
  readonly isStarting: boolean;
  readonly onStart: () => void;
}

function StartOffer({ title, isComparison, isStarting, onStart }: StartOfferProps) {
  const mayStart = useMayAnalyze();
  return (
    <Message
      icon={Sparkles}
      title={title}
      actions={
        mayStart ? (
          <Button variant="primary" disabled={isStarting} onClick={onStart}>
            {isStarting ? "Starting…" : "Start Analysis"}
          </Button>
        ) : (
          <ReadOnlyNote />
        )
      }
    >
      <p>
        {isComparison
          ? "Lists the functions that grew, by how much, with advice for each."
          : "Lists recommendations, each with its function, its cost and a solution in code."}
      </p>
    </Message>
  );
}

interface AnalysisStateProps {
  readonly analysis: Analysis;
  readonly polling: Polling;
  readonly onRetry: () => void;
  /** The content of a completed analysis. */
  readonly children: ReactNode;
}

/** The recommendations of a completed analysis, otherwise its progress or failure. */
function AnalysisState({ analysis, polling, onRetry, children }: AnalysisStateProps) {
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
  if (polling.isOver) return <StillRunning onCheck={polling.restart} />;
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

/** Shown when polling has reached its cap. */
function StillRunning({ onCheck }: { readonly onCheck: () => void }) {
  return (
    <Message
      icon={Clock}
      title="No result after 5 minutes"
      actions={<Button onClick={onCheck}>Check Again</Button>}
    >
      <p>The analysis is still queued or running on the server. This page has stopped checking.</p>
    </Message>
  );
}
