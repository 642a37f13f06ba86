import type { Insertable, Selectable } from "kysely";
import { z } from "zod";
import type { Database, RowStore } from "#store/row/row-store.ts";
import type { MuteScope } from "./matching.ts";

const Tags = z.record(z.string(), z.string());

export interface StoredMute extends MuteScope {
  readonly id: string;
  readonly reason: string;
  readonly createdAt: string;
  readonly startsAt: string;
  readonly until: string | null;
}

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

function toStoredMute({ tags, ...row }: Selectable<Database["alertMutes"]>): StoredMute {
  const { id, service, type, reason, createdAt, startsAt, until } = row;
  return { id, service, type, tags: Tags.parse(JSON.parse(tags)), reason, createdAt, startsAt, until };
}

/** The mutes in force. */
export async function mutesAt(rows: RowStore, orgId: string, now: Date): Promise<StoredMute[]> {
  const listed = await listedMutes(rows, orgId, now);
  return listed.filter(({ startsAt }) => startsAt <= now.toISOString());
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

/** False if there is no such mute. */
export async function removeMute(rows: RowStore, orgId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await rows
    .deleteFrom("alertMutes")
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
