import type { Incident } from "@flamekeep/contract";
import type { Insertable, Selectable } from "kysely";
import { type AlertPage, pageOf } from "#alerts/row/paging.ts";
import { type AlertRow, alertsOf } from "#alerts/row/stored-alert.ts";
import { changesRow, type Database, type RowStore } from "#store/row/row-store.ts";

/** The first signal of each incident, which has its id, newest first. */
export function incidentPage(rows: RowStore, orgId: string, page: AlertPage): Promise<AlertRow[]> {
  const { status, from } = page;
  const signals = rows.selectFrom("alerts as signals").select("signals.incidentId");
  const own = signals.where("signals.orgId", "=", orgId);
  const open = own.where("signals.resolvedAt", "is", null);
  let query = alertsOf(rows, orgId).whereRef("id", "=", "incidentId");
  if (status === "open") query = query.where("id", "in", open);
  if (status === "resolved") query = query.where("id", "not in", open);
  if (from !== undefined) {
    const later = own.where("signals.resolvedAt", ">", from);
    query = query.where((is) => is.or([is("id", "in", open), is("id", "in", later)]));
  }
  return pageOf(query, page);
}

/** All signals of these incidents, in the order in which they opened. */
export function signalsOf(
  rows: RowStore,
  orgId: string,
  incidentIds: readonly string[],
): Promise<AlertRow[]> {
  return alertsOf(rows, orgId)
    .where("incidentId", "in", incidentIds)
    .orderBy("openedAt")
    .orderBy("type")
    .orderBy("id")
    .execute();
}

/** All signals of the incidents of a service that have an open one. */
export function openSignals(rows: RowStore, orgId: string, service: string): Promise<AlertRow[]> {
  const open = rows
    .selectFrom("alerts as open")
    .select("open.incidentId")
    .where("open.orgId", "=", orgId)
    .where("open.service", "=", service)
    .where("open.resolvedAt", "is", null);
  return alertsOf(rows, orgId).where("incidentId", "in", open).execute();
}

/** The assignee and the comments of an incident. */
export interface Involvement {
  readonly assignee: Incident["assignee"];
  readonly commentCount: number;
}

/** Reads the involvement in these incidents. The result finds it by the id. */
export async function involvementOf(
  rows: RowStore,
  orgId: string,
  incidentIds: readonly string[],
): Promise<(incidentId: string) => Involvement> {
  const assigning = rows
    .selectFrom("incidentAssignments")
    .innerJoin("users", "users.id", "incidentAssignments.assignedTo")
    .select(["incidentId", "assignedTo", "assignedAt", "users.firstName", "users.lastName"])
    .where("incidentAssignments.orgId", "=", orgId)
    .where("incidentId", "in", incidentIds);
  const counting = rows
    .selectFrom("incidentComments")
    .select(({ fn }) => ["incidentId", fn.countAll<number>().as("count")])
    .where("orgId", "=", orgId)
    .where("incidentId", "in", incidentIds)
    .groupBy("incidentId");
  const [assigned, counted] = await Promise.all([assigning.execute(), counting.execute()]);
  const assignees = new Map(
    assigned.map(({ incidentId, assignedTo, assignedAt, firstName, lastName }) => [
      incidentId,
      { user_id: assignedTo, name: `${firstName} ${lastName}`, at: assignedAt },
    ]),
  );
  const counts = new Map(counted.map(({ incidentId, count }) => [incidentId, count]));
  return (id) => ({ assignee: assignees.get(id), commentCount: counts.get(id) ?? 0 });
}

/** False if the incident is assigned to this person already. */
export function storeAssignment(
  rows: RowStore,
  assignment: Insertable<Database["incidentAssignments"]>,
): Promise<boolean> {
  const { assignedTo, assignedAt } = assignment;
  const insert = rows.insertInto("incidentAssignments").values(assignment);
  return changesRow(
    insert.onConflict((conflict) =>
      conflict
        .columns(["orgId", "incidentId"])
        .doUpdateSet({ assignedTo, assignedAt })
        .where("incidentAssignments.assignedTo", "!=", assignedTo),
    ),
  );
}

/** False if the incident is assigned to nobody. */
export function removeAssignment(rows: RowStore, orgId: string, incidentId: string): Promise<boolean> {
  return changesRow(
    rows.deleteFrom("incidentAssignments").where("orgId", "=", orgId).where("incidentId", "=", incidentId),
  );
}

export type CommentRow = Omit<Selectable<Database["incidentComments"]>, "orgId" | "incidentId"> & {
  /** Of its author; null if the account was deleted. */
  readonly firstName: string | null;
  readonly lastName: string | null;
};

/** Oldest first. */
export function commentsOf(rows: RowStore, orgId: string, incidentId: string): Promise<CommentRow[]> {
  return rows
    .selectFrom("incidentComments")
    .leftJoin("users", "users.id", "incidentComments.writtenBy")
    .select([
      "incidentComments.id",
      "incidentComments.writtenBy",
      "incidentComments.createdAt",
      "incidentComments.text",
      "users.firstName",
      "users.lastName",
    ])
    .where("incidentComments.orgId", "=", orgId)
    .where("incidentComments.incidentId", "=", incidentId)
    .orderBy("incidentComments.createdAt")
    .orderBy("incidentComments.id")
    .execute();
}

export async function insertComment(
  rows: RowStore,
  comment: Insertable<Database["incidentComments"]>,
): Promise<void> {
  await rows.insertInto("incidentComments").values(comment).execute();
}

export async function removeComment(rows: RowStore, orgId: string, id: string): Promise<void> {
  await rows.deleteFrom("incidentComments").where("orgId", "=", orgId).where("id", "=", id).execute();
}

/** Null for a key that the server created, and once the account no longer exists. */
export async function creatorOfKey(rows: RowStore, orgId: string, keyId: string): Promise<string | null> {
  const keys = rows.selectFrom("apiKeys").select("createdBy").where("orgId", "=", orgId);
  return (await keys.where("id", "=", keyId).executeTakeFirst())?.createdBy ?? null;
}
