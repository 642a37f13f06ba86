import type { AnalysisResult, AnalysisRow } from "#analysis/stored-analysis.ts";
import type { RowStore } from "#store/row/row-store.ts";
import { countUsage } from "./usage.ts";

type ClaimedAnalysis = Pick<AnalysisRow, "orgId" | "id" | "holder">;

interface Spent {
  readonly processingTimeMs: number;
  readonly tokensUsed: number;
}

/** Stores the result; false if the analysis was removed meanwhile or another process has it. */
export function completeAnalysis(
  rows: RowStore,
  claimed: ClaimedAnalysis,
  result: AnalysisResult,
  spent: Spent & { readonly at: Date },
): Promise<boolean> {
  return finish(rows, claimed, { status: "completed", result: JSON.stringify(result), error: null }, spent);
}

/** @param error a sentence for people */
export function failAnalysis(
  rows: RowStore,
  claimed: ClaimedAnalysis,
  error: string,
  spent: Spent & { readonly at: Date },
): Promise<boolean> {
  return finish(rows, claimed, { status: "failed", result: null, error }, spent);
}

async function finish(
  rows: RowStore,
  { orgId, id, holder }: ClaimedAnalysis,
  outcome: Pick<AnalysisRow, "status" | "result" | "error">,
  { processingTimeMs, tokensUsed, at }: Spent & { readonly at: Date },
): Promise<boolean> {
  // Tokens were spent, whether the analysis still exists or not.
  if (tokensUsed > 0) await countUsage(rows, orgId, { analyses: 0, modelCalls: 0, tokens: tokensUsed }, at);
  const finished = await rows
    .updateTable("analyses")
    .set({
      ...outcome,
      processingTimeMs,
      tokensUsed,
      completedAt: at.toISOString(),
      holder: null,
      leaseExpiresAt: null,
    })
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .where("holder", "=", holder)
    .where("status", "=", "processing")
    .executeTakeFirstOrThrow();
  return finished.numUpdatedRows > 0n;
}

/** Returns the analysis to the queue as if it had not been started: the server is stopping. */
export async function releaseAnalysis(rows: RowStore, { orgId, id, holder }: ClaimedAnalysis): Promise<void> {
  await rows
    .updateTable("analyses")
    .set((is) => ({
      status: "pending" as const,
      attempts: is("attempts", "-", 1),
      holder: null,
      leaseExpiresAt: null,
    }))
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .where("holder", "=", holder)
    .where("status", "=", "processing")
    .execute();
}
