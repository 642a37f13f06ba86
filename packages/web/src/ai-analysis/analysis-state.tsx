import type { Analysis } from "@flamekeep/contract";
import { CircleAlert, Clock, Sparkles } from "lucide-react";
import type { ReactNode } from "react";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { Message } from "#ui/content/message.tsx";
import { Spinner } from "#ui/content/spinner.tsx";
import { Button } from "#ui/controls/button.tsx";
import { useMayAnalyze } from "./use-may-analyze.ts";
import type { Polling } from "./use-polling.ts";

interface StartOfferProps {
  /** The sentence that offers the analysis. */
  readonly title: string;
  readonly isComparison: boolean;
  readonly isStarting: boolean;
  readonly onStart: () => void;
}

export function StartOffer({ title, isComparison, isStarting, onStart }: StartOfferProps) {
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
          ? "You get the functions that grew, by how much, and advice about each of them."
          : "You get recommendations with the functions they are about, the share they cost and a solution in code."}
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
export function AnalysisState({ analysis, polling, onRetry, children }: AnalysisStateProps) {
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
