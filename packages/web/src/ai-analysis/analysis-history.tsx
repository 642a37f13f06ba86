import type { Analysis } from "@flamekeep/contract";
import { plural } from "#format/number.ts";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { historyLengthMax } from "./model.ts";

interface AnalysisHistoryProps {
  readonly analyses: readonly Analysis[];
  readonly currentId: string;
  readonly onChoose: (id: string) => void;
}

/** The latest analyses of the same subject; completed ones can be looked at again. */
export function AnalysisHistory({ analyses, currentId, onChoose }: AnalysisHistoryProps) {
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
