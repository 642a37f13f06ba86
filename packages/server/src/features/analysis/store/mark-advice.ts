import type * as calls from "@flamekeep/contract";
import type { InputOf } from "@flamekeep/contract";
import type { Context, KeyActor, UserActor } from "#context";
import { invalid, unprocessable } from "#failure";
import { findFeedback, removeFeedback, storeFeedback } from "./queries.ts";
import { type AdviceKey, effectOf, type FeedbackRow } from "./stored-analysis.ts";

interface MarkedAdvice extends Pick<FeedbackRow, "category" | "type" | "subjectAt"> {
  readonly key: AdviceKey & { readonly orgId: string; readonly service: string };
}

/** Throws `invalid` for a dismissal without a reason, and `unprocessable` for `done` without a function to measure. */
export async function markAdvice(
  { rows, now }: Context,
  actor: UserActor | KeyActor,
  { key, category, type, subjectAt }: MarkedAdvice,
  { state, reason = "" }: Pick<InputOf<typeof calls.giveFeedback>, "state" | "reason">,
): Promise<void> {
  if (state === "dismissed" && reason === "") {
    throw invalid("Field 'reason' is required to dismiss a recommendation");
  }
  if (state === "open") return removeFeedback(rows, key);
  if (state === "done" && key.function === "") {
    throw unprocessable(
      "This recommendation names no function of the profile, so its effect cannot be measured. Dismiss it instead, with a reason.",
    );
  }
  const givenAt = now().toISOString();
  const isMeasured = state !== "dismissed" && key.function !== "";
  // An effect that was measured since a deploy stays, compared with the data before the advice was accepted.
  const accepted = state === "done" ? await findFeedback(rows, key) : undefined;
  const measured = accepted?.state === "accepted" && effectOf(accepted)?.since != null ? accepted : undefined;
  await storeFeedback(rows, {
    ...key,
    category,
    type,
    state,
    reason: reason === "" ? null : reason,
    givenBy: actor.kind === "user" ? actor.userId : null,
    givenAt,
    subjectAt: measured?.subjectAt ?? subjectAt,
    effect: measured?.effect ?? null,
    measureAt: isMeasured ? givenAt : null,
  });
}
