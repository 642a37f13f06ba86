import { type GraphType, spanMs } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { AnalysisCard } from "#ai-analysis/analysis-card.tsx";
import type { Subject } from "#ai-analysis/subject.ts";
import { bringIntoView } from "#flame-graph/frame/wanted-function.ts";
import { isoText, type RangeQuery } from "#time-range/view-range.ts";
import { Select } from "#ui/controls/select.tsx";
import type { Explore } from "./use-explore.ts";

type Question = "improvements" | "changes";

const questions: readonly { readonly value: Question; readonly label: string }[] = [
  { value: "improvements", label: "What to improve" },
  { value: "changes", label: "What changed since the previous period" },
];

function offerOf(question: Question, label: string): string {
  if (question === "changes") return "Find out what changed and what to do";
  return `Find out what to improve in ${label.startsWith("last") ? `the ${label}` : "this range"}`;
}

interface RangeAnalysisProps {
  readonly explore: Explore;
  readonly type: GraphType;
  /** The selection or range in words. */
  readonly label: string;
}

/** Advice about the merged profiles of the selection, or about changes since the previous period. */
export function RangeAnalysis({ explore, type, label }: RangeAnalysisProps) {
  const { service, active: range, tags, question, find, change } = explore;
  const baseline = question === "changes" ? periodBefore(range) : undefined;
  const subject: Subject = { kind: "range", service, type, range, tags, ...(baseline && { baseline }) };
  return (
    <AnalysisCard
      key={JSON.stringify(subject)}
      subject={subject}
      offer={offerOf(question, label)}
      onFind={(name, sample) => {
        find(name, sample);
        bringIntoView(name);
      }}
      actions={
        <Select
          label="Question"
          size="sm"
          value={question}
          options={questions}
          onChange={(next) => change({ advice: next === "changes" ? next : undefined })}
        />
      }
    />
  );
}

/** The range of the same length that ends where this one begins; undefined if `from` and `to` are no range. */
export function periodBefore({ from, to }: RangeQuery): RangeQuery | undefined {
  const length = to === "now" ? spanMs(from) : undefined;
  if (length !== undefined) return { from: `${(2 * length) / minuteMs}m`, to: from };
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  if (!(fromMs < toMs)) return undefined;
  return { from: isoText(2 * fromMs - toMs), to: isoText(fromMs) };
}
