import type * as calls from "@flamekeep/contract";
import type { Analysis, InputOf } from "@flamekeep/contract";
import type { Context, KeyActor, UserActor } from "#context";
import { invalid, notFound, unprocessable } from "#failure";
import { present } from "./operations.ts";
import { readAnalysis, removeFeedback, storeFeedback } from "./store/queries.ts";
import { adviceKeyOf, resultOf } from "./store/stored-analysis.ts";

/** Marks advice as done or dismissed for its service, or undoes that. */
export async function giveFeedback(
  ctx: Context,
  actor: UserActor | KeyActor,
  { id, recommendation: adviceId, state, reason }: InputOf<typeof calls.giveFeedback>,
): Promise<Analysis> {
  const row = await readAnalysis(ctx.rows, actor.orgId, id);
  const recommendation = resultOf(row)?.recommendations.find((each) => each.id === adviceId);
  if (recommendation === undefined) throw notFound("Recommendation", adviceId);
  if (state === "dismissed" && (reason === undefined || reason === "")) {
    throw invalid("Field 'reason' is required to dismiss a recommendation");
  }
  const key = { orgId: actor.orgId, service: row.service, ...adviceKeyOf(recommendation) };
  if (state === "open") await removeFeedback(ctx.rows, key);
  else {
    if (state === "done" && key.function === "") {
      throw unprocessable(
        "This recommendation names no function of the profile, so its effect cannot be measured. Dismiss it instead, with a reason.",
      );
    }
    const givenAt = ctx.now().toISOString();
    await storeFeedback(ctx.rows, {
      ...key,
      category: recommendation.category,
      type: row.type,
      state,
      reason: reason === undefined || reason === "" ? null : reason,
      givenBy: actor.kind === "user" ? actor.userId : null,
      givenAt,
      subjectAt: row.subjectTo,
      effect: null,
      measureAt: state === "done" ? givenAt : null,
    });
  }
  const by = actor.kind === "user" ? { userId: actor.userId } : { keyId: actor.keyId };
  ctx.log.info({ ...key, ...by, state }, "recommendation marked");
  return present(ctx, actor, row);
}
