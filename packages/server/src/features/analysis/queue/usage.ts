import { dayMs } from "@flamekeep/contract/durations";
import type { OrganizationLimits } from "#config";
import { rateLimited } from "#failure";
import { utcDayOf } from "#store/column/utc.ts";
import { type Limit, raising } from "#store/row/organization-limits.ts";
import type { RowStore } from "#store/row/row-store.ts";
import { limitRefusals, type Metrics } from "#telemetry/metrics.ts";

interface Usage {
  readonly analyses: number;
  readonly modelCalls: number;
  readonly tokens: number;
}

/** An analysis or a call of the language model that an organization asks for. */
interface LimitedCall {
  readonly orgId: string;
  readonly limits: OrganizationLimits;
  readonly at: Date;
  /** Counts refusals. */
  readonly metrics: Metrics;
}

/** Throws `rate_limited` if the organization has used up its analyses of the day (UTC). */
export async function refuseAnalysis(
  rows: RowStore,
  { orgId, limit, at, metrics }: Omit<LimitedCall, "limits"> & { readonly limit: Limit },
): Promise<void> {
  const used = await usageOf(rows, orgId, at);
  if (used.analyses >= limit.value) {
    const advice = ` For more, ${raising(limit)}.`;
    throw overLimit(`${limit.value} analyses`, limit.name, { at, metrics }, advice);
  }
}

/** Throws `rate_limited` if the organization has used up its calls or tokens of the day (UTC). */
export async function refuseModelCall(
  rows: RowStore,
  { orgId, limits, at, metrics }: LimitedCall,
): Promise<void> {
  const used = await usageOf(rows, orgId, at);
  const alternative = " The built-in analyzer still works.";
  if (used.modelCalls >= limits.llmCallsPerDay) {
    const allowance = `${limits.llmCallsPerDay} calls of the language model (ORG_LLM_CALLS_PER_DAY)`;
    throw overLimit(allowance, "llm_calls_per_day", { at, metrics }, alternative);
  }
  if (used.tokens >= limits.llmTokensPerDay) {
    const allowance = `${limits.llmTokensPerDay} tokens of the language model (ORG_LLM_TOKENS_PER_DAY)`;
    throw overLimit(allowance, "llm_tokens_per_day", { at, metrics }, alternative);
  }
}

function overLimit(
  allowance: string,
  limit: string,
  { at, metrics }: Pick<LimitedCall, "at" | "metrics">,
  advice: string,
): Error {
  metrics.count(limitRefusals.name, limitRefusals.help, { limit });
  const seconds = Math.ceil((dayMs - (at.getTime() % dayMs)) / 1000);
  return rateLimited(
    `Your organization has reached its daily limit of ${allowance}.${advice} The limit resets at midnight UTC.`,
    seconds,
  );
}

export async function usageOf(rows: RowStore, orgId: string, at: Date): Promise<Usage> {
  const found = await rows
    .selectFrom("analysisUsage")
    .select(["analyses", "modelCalls", "tokens"])
    .where("orgId", "=", orgId)
    .where("day", "=", utcDayOf(at.getTime()))
    .executeTakeFirst();
  return found ?? { analyses: 0, modelCalls: 0, tokens: 0 };
}

export async function countUsage(rows: RowStore, orgId: string, added: Usage, at: Date): Promise<void> {
  await rows
    .insertInto("analysisUsage")
    .values({ orgId, day: utcDayOf(at.getTime()), ...added })
    .onConflict((conflict) =>
      conflict.columns(["orgId", "day"]).doUpdateSet((is) => ({
        analyses: is("analysisUsage.analyses", "+", added.analyses),
        modelCalls: is("analysisUsage.modelCalls", "+", added.modelCalls),
        tokens: is("analysisUsage.tokens", "+", added.tokens),
      })),
    )
    .execute();
}

/** Counts ended analyses, by provider and outcome. */
export const endedAnalyses = {
  name: "flamekeep_analyses_total",
  help: "Analyses that ended, by provider and outcome.",
} as const;

/** Counts tokens of the language model, for analyses and questions. */
export const modelTokens = {
  name: "flamekeep_llm_tokens_total",
  help: "Tokens that the language model used.",
} as const;
