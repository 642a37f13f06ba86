import { randomUUID } from "node:crypto";
import { limits } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import { lastReceivedMs, type Silence, silencePattern, silencesOf } from "#alerts/row/silent-series.ts";
import { type AlertRow, alertsOf, type Circumstances, type NewAlert } from "#alerts/row/stored-alert.ts";
import type { Changes } from "#alerts/rules/evaluate-rules.ts";
import { recordOpened, recordResolved } from "#alerts/store/record-change.ts";
import type { Context } from "#context";
import { query, queryAtMostOne } from "#store/column/query.ts";
import type { RowStore } from "#store/row/row-store.ts";
import type { SilenceWatch } from "./silence-watch.ts";

/** Reading the time of a silence again may give another time of its last upload, such as of one that arrived late. */
const sameMs = minuteMs;

/** Opens an alert for each new silence of a regular sender, and resolves those whose senders are back, or gone for a week. */
export async function evaluateSilence(ctx: Context, orgId: string, watch: SilenceWatch): Promise<Changes> {
  const senders = await watch.states.read(orgId, { listeningMs: watch.listeningMs });
  const nowMs = ctx.now().getTime();
  const alerts = await silenceAlerts(ctx.rows, orgId, nowMs - limits.sendersDays * dayMs);
  const done: Changes = { opened: 0, resolved: 0 };
  const byService = new Map(senders.map((sender) => [sender.service, sender]));
  for (const alert of alerts.filter(({ resolvedAt }) => resolvedAt === null)) {
    const receivedMs = lastReceivedMs(alert.sampleType, byService.get(alert.service));
    const isBack =
      receivedMs !== undefined && receivedMs > Date.parse(alert.beganAt ?? alert.openedAt) + sameMs;
    if (!isBack && receivedMs !== undefined) continue;
    const at = new Date(receivedMs ?? nowMs).toISOString();
    if (await recordResolved(ctx.rows, alert, at, ctx.now())) done.resolved++;
  }
  for (const silence of senders.flatMap(silencesOf)) {
    if (alerts.some((alert) => isSameEpisode(alert, silence))) continue;
    const alert = await describeSilence(ctx, orgId, silence);
    if (alert !== undefined && (await recordOpened(ctx.rows, alert, ctx.now()))) done.opened++;
  }
  return done;
}

/** Alerts about silence that are open, or opened since this time. */
function silenceAlerts(rows: RowStore, orgId: string, sinceMs: number): Promise<AlertRow[]> {
  return alertsOf(rows, orgId)
    .where("sampleType", "like", silencePattern)
    .where((eb) =>
      eb.or([eb("resolvedAt", "is", null), eb("openedAt", ">", new Date(sinceMs).toISOString())]),
    )
    .execute();
}

/** Whether the alert is about this silence, also if somebody marked it as expected. An open one is about every later silence. */
function isSameEpisode(
  { service, sampleType, beganAt, openedAt, resolvedAt }: AlertRow,
  silence: Silence,
): boolean {
  if (service !== silence.service || sampleType !== silence.sampleType) return false;
  return resolvedAt === null || Date.parse(beganAt ?? openedAt) + sameMs >= silence.sinceMs;
}

/** The values are uploads per hour: as many as usual, and none. Undefined if the last profile was removed meanwhile. */
async function describeSilence(
  ctx: Context,
  orgId: string,
  { service, type, sampleType, evidence, sinceMs }: Silence,
): Promise<NewAlert | undefined> {
  const last = await queryAtMostOne(ctx.columns, lastProfile, {
    orgId,
    service,
    type: evidence.type,
    fromMs: evidence.latestMs - minuteMs,
    toMs: evidence.latestMs + minuteMs,
  });
  if (last === undefined) return undefined;
  const circumstances: Circumstances = { release: null, parts: [], highest: null, beganErrorMs: 0 };
  const openedAt = ctx.now().toISOString();
  const beganAt = new Date(sinceMs).toISOString();
  return {
    id: randomUUID(),
    orgId,
    service,
    type,
    sampleType,
    profileId: last.profileId,
    beganAt,
    openedAt,
    resolvedAt: null,
    previousValue: hourMs / (evidence.intervalMs ?? minuteMs),
    currentValue: 0,
    increase: -1,
    baselineFrom: new Date(sinceMs - hourMs).toISOString(),
    baselineTo: beganAt,
    currentFrom: beganAt,
    currentTo: openedAt,
    functions: "[]",
    reference: "{}",
    circumstances: JSON.stringify(circumstances),
    ruleId: null,
    rule: null,
    severity: "warning",
  };
}

const lastProfile = query({
  name: "alerts.last-profile",
  sql: `SELECT profile_id AS profileId FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
          AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
        ORDER BY started_at DESC, profile_id LIMIT 1`,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    type: z.string(),
    fromMs: z.int(),
    toMs: z.int(),
  }),
  row: z.object({ profileId: z.string() }),
});
