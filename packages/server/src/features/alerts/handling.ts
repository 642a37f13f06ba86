import type * as calls from "@flamekeep/contract";
import type { ReplyOf } from "@flamekeep/contract";
import { measureOf } from "#alerts/detect/watched/measure.ts";
import { sampleTypeOfFunctions } from "#alerts/row/function-series.ts";
import { isSilence } from "#alerts/row/silent-series.ts";
import type { AlertRow } from "#alerts/row/stored-alert.ts";
import { findAlert, removeExpected, storeHandling } from "#alerts/store/handling.ts";
import { recordResolved } from "#alerts/store/record-change.ts";
import type { Context, UserActor } from "#context";
import { notFound, unprocessable } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { shownAlerts } from "./store/handling.ts";

type AlertReply = ReplyOf<typeof calls.acknowledgeAlert>;

export const acknowledgeAlert: Operation<typeof calls.acknowledgeAlert> = async (
  ctx,
  actor,
  { id, is_acknowledged: isAcknowledged },
) => {
  const alert = await openAlert(ctx, actor.orgId, id);
  await storeHandling(ctx.rows, alert, {
    acknowledgedBy: isAcknowledged ? actor.userId : null,
    acknowledgedAt: isAcknowledged ? ctx.now().toISOString() : null,
  });
  return reply(ctx, actor.orgId, id);
};

/**
 * Resolves an alert whose new level stays. The level is stored first: a crash in between leaves the alert open, but never
 * opens it a second time.
 */
export const expectAlert: Operation<typeof calls.expectAlert> = async (
  ctx,
  actor,
  { id, is_expected: isExpected },
) => {
  if (!isExpected) return takeBackExpected(ctx, actor, id);
  const alert = await openAlert(ctx, actor.orgId, id);
  if (alert.ruleId !== null) {
    throw unprocessable(
      "A rule opened this alert: change the rule's threshold or switch the rule off instead",
    );
  }
  if (isSeries(alert) && measureOf(alert.type, alert.sampleType).isFault) {
    throw unprocessable("Leaked goroutines are always a fault: mute the service and type if they are known");
  }
  const now = ctx.now();
  const at = now.toISOString();
  await storeHandling(ctx.rows, alert, { expectedBy: actor.userId, expectedAt: at });
  await recordResolved(ctx.rows, alert, at, now);
  return reply(ctx, actor.orgId, id);
};

/** Whether the alert is about a series as a whole. */
function isSeries(alert: AlertRow): boolean {
  return !isSilence(alert) && sampleTypeOfFunctions(alert.sampleType) === undefined;
}

/** The alert stays resolved. The next evaluation compares the series as if nobody had marked it. */
async function takeBackExpected(ctx: Context, actor: UserActor, id: string): Promise<AlertReply> {
  const alert = await existingAlert(ctx, actor.orgId, id);
  if (!(await removeExpected(ctx.rows, alert))) throw unprocessable("The alert is not marked as expected");
  return reply(ctx, actor.orgId, id);
}

async function openAlert(ctx: Context, orgId: string, id: string): Promise<AlertRow> {
  const alert = await existingAlert(ctx, orgId, id);
  if (alert.resolvedAt !== null) throw unprocessable("The alert is resolved already");
  return alert;
}

async function reply(ctx: Context, orgId: string, id: string): Promise<AlertReply> {
  const [alert] = await shownAlerts(ctx, orgId, [await existingAlert(ctx, orgId, id)]);
  return { alert: alert! };
}

async function existingAlert(ctx: Context, orgId: string, id: string): Promise<AlertRow> {
  const alert = await findAlert(ctx.rows, orgId, id);
  if (alert === undefined) throw notFound("Alert", id);
  return alert;
}
