import { randomUUID } from "node:crypto";
import { focusAreasOf } from "#analysis/advice/recommendations.ts";
import {
  type AnalysisResult,
  type AnalysisRow,
  adviceKeyOf,
  optionsOf,
} from "#analysis/store/stored-analysis.ts";
import type { RowStore } from "#store/row/row-store.ts";
import { toStoredFinding } from "./stored-finding.ts";

/** JSON of a subject: one profile, or a range with all of its profiles. */
const wholeProfile = "{}";
const anyTags = '%"tags":{}%';
const anyBaseline = '%"baseline":%';

/**
 * Takes the findings of a completed analysis into the list of the organization. Findings of the same service and type that it could have
 * shown and does not show are not current any more. Comparisons, parts of a service, and analyses of older data change nothing.
 */
export async function recordFindings(
  rows: RowStore,
  row: AnalysisRow,
  result: AnalysisResult,
  at: Date,
): Promise<void> {
  if (!isOfWholeService(row) || (await hasNewer(rows, row, at))) return;
  const areas = focusAreasOf(optionsOf(row), row.type);
  const isComplete = result.recommendations.length < optionsOf(row).max_recommendations;
  const isOfRow = rows
    .updateTable("findings")
    .set({ isCurrent: 0 })
    .where("orgId", "=", row.orgId)
    .where("service", "=", row.service)
    .where("displayType", "=", row.displayType);
  if (isComplete) await isOfRow.where("category", "in", [...areas]).execute();
  for (const recommendation of result.recommendations) {
    const key = adviceKeyOf(recommendation);
    const used = result.usage[recommendation.sampleType];
    const change = {
      displayType: row.displayType,
      category: recommendation.category,
      priority: recommendation.priority,
      isCurrent: 1 as const,
      lastSeenAt: row.subjectTo,
      analysisId: row.id,
      unit: used?.unit ?? null,
      inUse: used === undefined ? 0 : used.value * (result.instances ?? 1),
      share: recommendation.share ?? 0,
      saving: recommendation.saving,
      finding: JSON.stringify(toStoredFinding(row, recommendation)),
    };
    await rows
      .insertInto("findings")
      .values({
        id: randomUUID(),
        orgId: row.orgId,
        service: row.service,
        ...key,
        firstSeenAt: row.subjectTo < at.toISOString() ? row.subjectTo : at.toISOString(),
        ownerId: null,
        ...change,
      })
      .onConflict((conflict) =>
        conflict.columns(["orgId", "service", "rule", "function"]).doUpdateSet(change),
      )
      .execute();
  }
}

function isOfWholeService({ subject }: AnalysisRow): boolean {
  if (subject === wholeProfile) return true;
  return subject.includes('"tags":{}') && !subject.includes('"baseline":');
}

/** Whether a completed analysis of this service and type is of later data. */
async function hasNewer(rows: RowStore, row: AnalysisRow, at: Date): Promise<boolean> {
  const newer = await rows
    .selectFrom("analyses")
    .select("id")
    .where("orgId", "=", row.orgId)
    .where("service", "=", row.service)
    .where("displayType", "=", row.displayType)
    .where("status", "=", "completed")
    .where("id", "!=", row.id)
    .where("subjectTo", ">", row.subjectTo)
    .where("subjectTo", "<=", at.toISOString())
    .where((is) =>
      is.or([
        is("subject", "=", wholeProfile),
        is.and([is("subject", "like", anyTags), is("subject", "not like", anyBaseline)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return newer !== undefined;
}
