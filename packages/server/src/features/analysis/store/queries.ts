import type { DisplayType } from "@flamekeep/contract";
import { notFound } from "#failure";
import type { RowStore } from "#store/row/row-store.ts";
import type { AdviceKey, AnalysisRow, FeedbackRow } from "./stored-analysis.ts";

export function findAnalysis(rows: RowStore, orgId: string, id: string): Promise<AnalysisRow | undefined> {
  return rows
    .selectFrom("analyses")
    .selectAll()
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Throws `not_found` unless the organization has it. */
export async function readAnalysis(rows: RowStore, orgId: string, id: string): Promise<AnalysisRow> {
  const row = await findAnalysis(rows, orgId, id);
  if (row === undefined) throw notFound("Analysis", id);
  return row;
}

/** Newest first. */
export function analysesOfProfile(
  rows: RowStore,
  { orgId, profileId, limit }: { readonly orgId: string; readonly profileId: string; readonly limit: number },
): Promise<AnalysisRow[]> {
  return rows
    .selectFrom("analyses")
    .selectAll()
    .where("orgId", "=", orgId)
    .where("profileId", "=", profileId)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

interface RangeFilter {
  readonly orgId: string;
  readonly service: string;
  readonly displayType: DisplayType | undefined;
  /** Only of ranges that overlap. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export function analysesOfRanges(rows: RowStore, filter: RangeFilter): Promise<AnalysisRow[]> {
  const { orgId, service, displayType, from, to, limit } = filter;
  let query = rows
    .selectFrom("analyses")
    .selectAll()
    .where("orgId", "=", orgId)
    .where("service", "=", service)
    .where("profileId", "is", null);
  if (displayType !== undefined) query = query.where("displayType", "=", displayType);
  if (from !== undefined) query = query.where("subjectTo", ">", from);
  if (to !== undefined) query = query.where("subjectFrom", "<", to);
  return query.orderBy("createdAt", "desc").orderBy("id", "desc").limit(limit).execute();
}

/** The latest completed analysis of one profile, by type; the latest of all if none is completed. */
export async function latestOfService(
  rows: RowStore,
  orgId: string,
  service: string,
): Promise<AnalysisRow[]> {
  const types = await rows
    .selectFrom("analyses")
    .select("displayType")
    .distinct()
    .where("orgId", "=", orgId)
    .where("service", "=", service)
    .where("profileId", "is not", null)
    .execute();
  const latest = await Promise.all(
    types.map(({ displayType }) =>
      rows
        .selectFrom("analyses")
        .selectAll()
        .where("orgId", "=", orgId)
        .where("service", "=", service)
        .where("displayType", "=", displayType)
        .where("profileId", "is not", null)
        .orderBy((is) => is.case().when("status", "=", "completed").then(0).else(1).end())
        .orderBy("createdAt", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst(),
    ),
  );
  return latest.filter((row) => row !== undefined);
}

/** All feedback about advice for these services. */
export async function feedbackOf(
  rows: RowStore,
  orgId: string,
  services: readonly string[],
): Promise<FeedbackRow[]> {
  if (services.length === 0) return [];
  return rows
    .selectFrom("recommendationFeedback")
    .selectAll()
    .where("orgId", "=", orgId)
    .where("service", "in", [...new Set(services)])
    .execute();
}

type FeedbackKey = AdviceKey & { readonly orgId: string; readonly service: string };

export function findFeedback(
  rows: RowStore,
  { orgId, service, rule, function: name }: FeedbackKey,
): Promise<FeedbackRow | undefined> {
  return rows
    .selectFrom("recommendationFeedback")
    .selectAll()
    .where("orgId", "=", orgId)
    .where("service", "=", service)
    .where("rule", "=", rule)
    .where("function", "=", name)
    .executeTakeFirst();
}

export async function storeFeedback(rows: RowStore, feedback: FeedbackRow): Promise<void> {
  const { orgId: _, service: __, rule: ___, function: ____, ...change } = feedback;
  await rows
    .insertInto("recommendationFeedback")
    .values(feedback)
    .onConflict((conflict) => conflict.columns(["orgId", "service", "rule", "function"]).doUpdateSet(change))
    .execute();
}

export async function removeFeedback(
  rows: RowStore,
  { orgId, service, rule, function: name }: FeedbackKey,
): Promise<void> {
  await rows
    .deleteFrom("recommendationFeedback")
    .where("orgId", "=", orgId)
    .where("service", "=", service)
    .where("rule", "=", rule)
    .where("function", "=", name)
    .execute();
}
