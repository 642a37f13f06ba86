import type * as calls from "@flamekeep/contract";
import type { Analysis, InputOf } from "@flamekeep/contract";
import type { Context, KeyActor, UserActor } from "#context";
import { notFound } from "#failure";
import { present } from "./operations.ts";
import { markAdvice } from "./store/mark-advice.ts";
import { readAnalysis } from "./store/queries.ts";
import { adviceKeyOf, resultOf } from "./store/stored-analysis.ts";

/** Marks advice as accepted, done or dismissed for its service, or undoes that. */
export async function giveFeedback(
  ctx: Context,
  actor: UserActor | KeyActor,
  { id, recommendation: adviceId, ...mark }: InputOf<typeof calls.giveFeedback>,
): Promise<Analysis> {
  const row = await readAnalysis(ctx.rows, actor.orgId, id);
  const recommendation = resultOf(row)?.recommendations.find((each) => each.id === adviceId);
  if (recommendation === undefined) throw notFound("Recommendation", adviceId);
  const advice = {
    key: { orgId: actor.orgId, service: row.service, ...adviceKeyOf(recommendation) },
    category: recommendation.category,
    type: row.type,
    subjectAt: row.subjectTo,
  };
  await markAdvice(ctx, actor, advice, mark);
  const by = actor.kind === "user" ? { userId: actor.userId } : { keyId: actor.keyId };
  ctx.log.info({ ...advice.key, ...by, state: mark.state }, "recommendation marked");
  return present(ctx, actor, row);
}
