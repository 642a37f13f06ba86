import type { Analysis } from "@flamekeep/contract";
import { type ReactNode, useEffect } from "react";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { AnalysisHistory } from "./analysis-history.tsx";
import { AnalysisState, StartOffer } from "./analysis-state.tsx";
import { ComparedAnalysis } from "./compared-analysis.tsx";
import { CompletedAnalysis } from "./completed-analysis.tsx";
import type { FindFunction } from "./model.ts";
import { isComparison, type Subject } from "./subject.ts";
import { useAnalysis } from "./use-analysis.ts";
import { useMayAnalyze } from "./use-may-analyze.ts";

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
