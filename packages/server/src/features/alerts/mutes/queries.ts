import type { MuteSchedule as Schedule } from "@flamekeep/contract";
import { MuteSchedule } from "@flamekeep/contract/schemas";
import type { Insertable, Selectable } from "kysely";
import { z } from "zod";
import { type AlertRow, Circumstances } from "#alerts/row/stored-alert.ts";
import type { Database, RowStore } from "#store/row/row-store.ts";
import type { PastAlert } from "./proposals.ts";
import { isInWindow } from "./schedule.ts";

const Tags = z.record(z.string(), z.string());

export type StoredMute = Omit<
  Selectable<Database["alertMutes"]>,
  "orgId" | "mutedBy" | keyof MuteScope | "schedule"
> &
  MuteScope & {
    /** null if it does not recur. */
    readonly schedule: Schedule | null;
  };

/** The mutes that have not ended, with planned ones; those that begin first at the top. */
export async function listedMutes(rows: RowStore, orgId: string, now: Date): Promise<StoredMute[]> {
  const found = await rows
    .selectFrom("alertMutes")
    .selectAll()
    .where("orgId", "=", orgId)
    .where((eb) => eb.or([eb("until", "is", null), eb("until", ">", now.toISOString())]))
    .orderBy("startsAt")
    .orderBy("service")
    .orderBy("type")
    .orderBy("id")
    .execute();
  return found.map(toStoredMute);
}

function toStoredMute({ tags, schedule, ...row }: Selectable<Database["alertMutes"]>): StoredMute {
  return {
    ...row,
    tags: Tags.parse(JSON.parse(tags)),
    schedule: schedule === null ? null : MuteSchedule.parse(JSON.parse(schedule)),
  };
}

/** The mutes in force. Those that recur are in force in their windows. */
export async function mutesAt(rows: RowStore, orgId: string, now: Date): Promise<StoredMute[]> {
  const listed = await listedMutes(rows, orgId, now);
  return listed.filter(
    ({ startsAt, schedule }) =>
      startsAt <= now.toISOString() && (schedule === null || isInWindow(schedule, now.getTime())),
  );
}

/** Also removes the organization's mutes that have ended. */
export async function insertMute(rows: RowStore, mute: Insertable<Database["alertMutes"]>): Promise<void> {
  await rows
    .deleteFrom("alertMutes")
    .where("orgId", "=", mute.orgId)
    .where("until", "<=", mute.createdAt)
    .execute();
  await rows.insertInto("alertMutes").values(mute).execute();
}

/** The mute as it was; undefined if there is no such mute. */
export async function removeMute(rows: RowStore, orgId: string, id: string): Promise<StoredMute | undefined> {
  const removal = rows.deleteFrom("alertMutes").where("orgId", "=", orgId).where("id", "=", id);
  const removed = await removal.returningAll().executeTakeFirst();
  return removed && toStoredMute(removed);
}

type MutedTags = Readonly<Record<string, string>>;

/** The alerts that a mute silences. A null is any service or type; without tags, the tags of profiles do not matter. */
export interface MuteScope {
  readonly service: string | null;
  readonly type: string | null;
  readonly tags: MutedTags;
}

type Subject = Pick<AlertRow, "service" | "type" | "increase" | "circumstances"> &
  Partial<Pick<AlertRow, "ruleId">>;

/** A mute by tags needs this part of the rise in profiles with them. */
const shareMin = 0.5;
/** The rest of the rise must be smaller than any that opens an alert. */
const restMax = 0.15;

/** Whether one of these mutes, which are in force, silences the alert. */
export function isMuted(alert: Subject, mutes: readonly MuteScope[]): boolean {
  return mutes.some(
    ({ service, type, tags }) =>
      (service === null || service === alert.service) &&
      (type === null || type === alert.type) &&
      (Object.keys(tags).length === 0 || isInTags(alert, tags)),
  );
}

/** A rule is muted by tags only if all of its profiles have them: the value of the others alone is not known. */
const shareOfRuleMin = 0.999;

/** Whether the rise is in profiles with all of these tags: alone, the others would have opened no alert. */
function isInTags({ circumstances, increase, ruleId }: Subject, tags: MutedTags): boolean {
  if (circumstances === null) return false;
  const { parts } = Circumstances.parse(JSON.parse(circumstances));
  const names = Object.keys(tags);
  const tagged = parts.filter((part) => names.every((name) => part.tags[name] === tags[name]));
  const share = tagged.reduce((sum, part) => sum + part.share, 0);
  if (ruleId !== undefined && ruleId !== null) return share >= shareOfRuleMin;
  return share >= shareMin && (1 - share) * increase < restMax;
}

/** The newest alerts are read, and older ones not: more than these are no pattern that a person would recognize. */
const pastMax = 5000;

/** The alerts that opened since a time and are not marked as expected, oldest first. */
export async function alertTimes(rows: RowStore, orgId: string, since: Date): Promise<PastAlert[]> {
  const found = await rows
    .selectFrom("alerts")
    .leftJoin("alertHandling", (join) =>
      join.onRef("alertHandling.orgId", "=", "alerts.orgId").onRef("alertHandling.alertId", "=", "alerts.id"),
    )
    .select(["alerts.id", "alerts.service", "alerts.type", "alerts.openedAt", "alerts.resolvedAt"])
    .where("alerts.orgId", "=", orgId)
    .where("alerts.openedAt", ">=", since.toISOString())
    .where("alertHandling.expectedAt", "is", null)
    .orderBy("alerts.openedAt", "desc")
    .orderBy("alerts.id")
    .limit(pastMax)
    .execute();
  return found.reverse().map(({ openedAt, resolvedAt, ...alert }) => ({
    ...alert,
    openedMs: Date.parse(openedAt),
    resolvedMs: resolvedAt === null ? null : Date.parse(resolvedAt),
  }));
}
