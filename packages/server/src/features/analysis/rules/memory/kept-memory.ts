import { formatValue } from "@flamekeep/flame";
import { priorityOf } from "#rules/call-rule.ts";
import type { Growth } from "#rules/heap.ts";
import type { Observation } from "#rules/rule.ts";
import type { Subject } from "#rules/subject.ts";
import { costOf, shortName } from "#rules/text.ts";

interface Texts {
  readonly issue: (where: string) => string;
  readonly solution: (where: string) => string;
}

/** Memory that grew since an earlier profile. Undefined if it is little, or no application function allocates it. */
export function keptMemory(
  subject: Subject,
  { selection, before, perSecond, isCertain }: Growth,
  { issue, solution }: Texts,
): Observation | undefined {
  const priority = priorityOf(selection, { low: 0.05, medium: 0.15, ...(isCertain && { high: 0.4 }) });
  const [caller] = selection.callers;
  if (priority === undefined || caller === undefined) return undefined;
  const where = shortName(caller.name);
  const rate = perSecond === undefined ? "" : `, ${formatValue(perSecond, "bytes")} per second`;
  return {
    selection,
    priority,
    confidence: 0.85,
    saves: 0.8,
    issue: issue(where),
    impact: `It holds ${costOf(subject, selection)}, ${formatValue(before, "bytes")} in an earlier profile${rate}. Sooner or later the process is killed.`,
    solution: solution(where),
  };
}
