import { randomUUID } from "node:crypto";
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import type { AnalysisRow } from "#analysis/store/stored-analysis.ts";
import type { Context } from "#context";
import { readLimit } from "#store/row/organization-limits.ts";
import { lockOrganization } from "#store/row/organization-lock.ts";
import type { RowStore } from "#store/row/row-store.ts";
import { countUsage, refuseAnalysis, refuseModelCall } from "./usage.ts";

/** For this long, the same request gets the analysis that is already queued or running. */
const sameRequestMs = hourMs;

/** The content of a request. */
export type NewAnalysis = Pick<
  AnalysisRow,
  | "orgId"
  | "service"
  | "type"
  | "displayType"
  | "profileId"
  | "subject"
  | "subjectFrom"
  | "subjectTo"
  | "requestKey"
  | "options"
  | "provider"
  | "model"
  | "createdBy"
>;

/** Queues the analysis, or returns the one that already does the same. Throws `rate_limited` beyond the limits of a day. */
export function enqueue(
  { rows, config, now, metrics }: Pick<Context, "rows" | "config" | "now" | "metrics">,
  request: NewAnalysis,
): Promise<AnalysisRow> {
  const at = now();
  // Locked: two requests at the same moment must not start the same analysis twice, or pass the limit together.
  return rows.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, request.orgId);
    const running = await findRunning(transaction, request, at);
    if (running !== undefined) return running;
    const isModel = request.provider !== "builtin";
    const { orgId } = request;
    const call = { orgId, limits: config.organization, at, metrics };
    const limit = await readLimit(transaction, config, { orgId, name: "analyses_per_day" });
    await refuseAnalysis(transaction, { ...call, limit });
    if (isModel) await refuseModelCall(transaction, call);
    const counted = { analyses: 1, modelCalls: isModel ? 1 : 0, tokens: 0 };
    await countUsage(transaction, request.orgId, counted, at);
    return insertPending(transaction, request, at);
  });
}

export async function insertPending(rows: RowStore, request: NewAnalysis, at: Date): Promise<AnalysisRow> {
  const row: AnalysisRow = {
    ...request,
    id: randomUUID(),
    status: "pending",
    createdAt: at.toISOString(),
    startedAt: null,
    completedAt: null,
    attempts: 0,
    holder: null,
    leaseExpiresAt: null,
    result: null,
    error: null,
    processingTimeMs: null,
    tokensUsed: 0,
  };
  await rows.insertInto("analyses").values(row).execute();
  return row;
}

function findRunning(
  rows: RowStore,
  { orgId, requestKey }: NewAnalysis,
  at: Date,
): Promise<AnalysisRow | undefined> {
  return rows
    .selectFrom("analyses")
    .selectAll()
    .where("orgId", "=", orgId)
    .where("requestKey", "=", requestKey)
    .where("status", "in", ["pending", "processing"])
    .where("createdAt", ">", new Date(at.getTime() - sameRequestMs).toISOString())
    .where("createdAt", "<", new Date(at.getTime() + dayMs).toISOString())
    .orderBy("createdAt", "desc")
    .executeTakeFirst();
}
