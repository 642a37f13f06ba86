import { ProfileType } from "@flamekeep/contract/schemas";
import type { Selectable } from "kysely";
import { z } from "zod";
import { type AnalysisRow, StoredRecommendation } from "#analysis/store/stored-analysis.ts";
import type { Database } from "#store/row/row-store.ts";

export type FindingRow = Selectable<Database["findings"]>;

/** The JSON of the column `finding`: the advice, and what was analysed. */
const StoredFinding = StoredRecommendation.omit({ codeExample: true, path: true }).extend({
  type: ProfileType,
  profileId: z.string().nullable(),
  from: z.string(),
  to: z.string(),
});

export function toStoredFinding(
  { type, profileId, subjectFrom, subjectTo }: AnalysisRow,
  recommendation: StoredRecommendation,
): z.input<typeof StoredFinding> {
  const { codeExample: _, path: __, functions, ...rest } = recommendation;
  // The culprit alone: the analysis has the others.
  return { ...rest, functions: functions.slice(0, 1), type, profileId, from: subjectFrom, to: subjectTo };
}

export function storedFindingOf({ finding }: Pick<FindingRow, "finding">) {
  return StoredFinding.parse(JSON.parse(finding));
}
