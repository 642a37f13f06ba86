import type { Finding, FindingCost, ResourcePrice } from "@flamekeep/contract";
import { effectOf, type FeedbackRow } from "#analysis/store/stored-analysis.ts";
import { costOf } from "./price.ts";
import { type FindingRow, storedFindingOf } from "./stored-finding.ts";

interface Presentation {
  /** Names by id. */
  readonly members: ReadonlyMap<string, string>;
  readonly price: ResourcePrice | null;
  readonly feedback: FeedbackRow | undefined;
}

export function toFinding(row: FindingRow, { members, price, feedback }: Presentation): Finding {
  const advice = storedFindingOf(row);
  const [culprit] = advice.functions;
  const ownerName = row.ownerId === null ? undefined : members.get(row.ownerId);
  return {
    id: row.id,
    service: row.service,
    type: advice.type,
    display_type: row.displayType,
    category: row.category,
    priority: row.priority,
    confidence: advice.confidence,
    rule: advice.rule,
    issue: advice.issue,
    impact: advice.impact,
    solution: advice.solution,
    function: culprit === undefined ? null : { name: culprit.name, file: culprit.file, line: culprit.line },
    sample_type: advice.sampleType,
    cost: toCost(row, row.share, price),
    saving: toCost(row, row.saving, price),
    first_seen_at: row.firstSeenAt,
    last_seen_at: row.lastSeenAt,
    is_current: row.isCurrent === 1,
    analysis_id: row.analysisId,
    recommendation_id: advice.id,
    profile_id: advice.profileId,
    range: { from: advice.from, to: advice.to },
    owner: ownerName === undefined ? null : { user_id: row.ownerId!, name: ownerName },
    state: feedback?.state ?? "open",
    reason: feedback?.reason ?? null,
    state_at: feedback?.givenAt ?? null,
    effect: feedback === undefined ? null : (effectOf(feedback) ?? null),
  };
}

function toCost({ unit, inUse }: FindingRow, share: number, price: ResourcePrice | null): FindingCost | null {
  if (unit === null || share === 0) return null;
  const value = inUse * share;
  return { value, unit, per_month: price === null ? null : costOf(value, unit, price) };
}
