import { type Kysely, sql } from "kysely";
import type { Database } from "#store/row/row-store.ts";
import { StoreUnavailable } from "#store/unavailable.ts";

/** A server process that takes uploads. */
export interface Member {
  /** One for each start of a process. */
  readonly id: string;
  /** `host:port` of its private connection. */
  readonly address: string;
  readonly version: string;
}

export interface Heartbeat extends Member {
  /** Changes with each heartbeat. */
  readonly seenAt: string;
  /** Whether others have agreed that it owns services. */
  readonly isJoined: boolean;
}

/** The clock of the database, so that those of members do not matter. */
const databaseTime = sql<string>`to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

type Rows = Pick<Kysely<Database>, "insertInto" | "updateTable" | "deleteFrom" | "selectFrom">;

/**
 * Writes the heartbeat of a member and reads those of all.
 *
 * @returns `isNew` if the member had no row: it has not written one yet, or others took it for dead
 */
export async function beat(
  rows: Rows,
  member: Member,
  isJoined: boolean,
): Promise<{ readonly isNew: boolean; readonly heartbeats: readonly Heartbeat[] }> {
  const joined = isJoined ? 1 : 0;
  const updated = await rows
    .updateTable("clusterMembers")
    .set({ seenAt: databaseTime, joined })
    .where("id", "=", member.id)
    .executeTakeFirst();
  const isNew = updated.numUpdatedRows === 0n;
  if (isNew) {
    await rows
      .insertInto("clusterMembers")
      .values({ ...member, startedAt: databaseTime, seenAt: databaseTime, joined })
      .execute();
  }
  const read = await rows
    .selectFrom("clusterMembers")
    .select(["id", "address", "version", "seenAt", "joined"])
    .orderBy("id")
    .execute();
  const heartbeats = read.map(({ joined: isMember, ...each }) => ({ ...each, isJoined: isMember === 1 }));
  return { isNew, heartbeats };
}

/** Addresses of members with a heartbeat within the last `ms`. */
export async function liveAddresses(rows: Rows, ms: number): Promise<readonly string[]> {
  const found = await rows
    .selectFrom("clusterMembers")
    .select("address")
    .where(sql<boolean>`seen_at::timestamptz > clock_timestamp() - ${ms} * interval '1 millisecond'`)
    .orderBy("address")
    .execute();
  return found.map(({ address }) => address);
}

/** Removes a member that left, or that sent no heartbeat since `seenAt`. */
export async function removeMember(rows: Rows, id: string, seenAt?: string): Promise<void> {
  const removal = rows.deleteFrom("clusterMembers").where("id", "=", id);
  await (seenAt === undefined ? removal : removal.where("seenAt", "=", seenAt)).execute();
}

/** A database that hangs must not stop a member: the work goes on, and nobody waits for it. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new StoreUnavailable(`no answer within ${Math.round(ms)} ms`)),
    ms,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
