import type { Insertable, Updateable } from "kysely";
import { type AlertRow, alertsOf } from "#alerts/row/stored-alert.ts";
import { type StoredRule, toStoredRule } from "#alerts/row/stored-rule.ts";
import { countRows, type Database, type RowStore } from "#store/row/row-store.ts";

/** A rule, with the name of who made it. */
export type ListedRule = StoredRule & { readonly createdByName: string | null };

/** By service and name. */
export async function listedRules(rows: RowStore, orgId: string): Promise<ListedRule[]> {
  const found = await rows
    .selectFrom("alertRules")
    .leftJoin("users", "users.id", "alertRules.createdBy")
    .selectAll("alertRules")
    .select(["users.firstName", "users.lastName"])
    .where("alertRules.orgId", "=", orgId)
    .orderBy("alertRules.service")
    .orderBy("alertRules.name")
    .orderBy("alertRules.id")
    .execute();
  return found.map(({ firstName, lastName, ...row }) => ({
    ...toStoredRule(row),
    createdByName: firstName === null ? null : `${firstName} ${lastName}`,
  }));
}

export async function findRule(rows: RowStore, orgId: string, id: string): Promise<StoredRule | undefined> {
  const rule = rows.selectFrom("alertRules").selectAll().where("orgId", "=", orgId).where("id", "=", id);
  const found = await rule.executeTakeFirst();
  return found === undefined ? undefined : toStoredRule(found);
}

export async function enabledRules(rows: RowStore, orgId: string): Promise<StoredRule[]> {
  const found = await rows
    .selectFrom("alertRules")
    .selectAll()
    .where("orgId", "=", orgId)
    .where("isEnabled", "=", 1)
    .orderBy("id")
    .execute();
  return found.map(toStoredRule);
}

/** Call it with the organization locked. */
export function countRules(rows: RowStore, orgId: string): Promise<number> {
  return countRows(rows.selectFrom("alertRules").where("orgId", "=", orgId));
}

export async function insertRule(rows: RowStore, rule: Insertable<Database["alertRules"]>): Promise<void> {
  await rows.insertInto("alertRules").values(rule).execute();
}

export async function storeRule(
  rows: RowStore,
  { orgId, id }: Pick<StoredRule, "orgId" | "id">,
  change: Updateable<Database["alertRules"]>,
): Promise<void> {
  const update = rows.updateTable("alertRules").set(change);
  await update.where("orgId", "=", orgId).where("id", "=", id).execute();
}

export async function deleteRule(
  rows: RowStore,
  { orgId, id }: Pick<StoredRule, "orgId" | "id">,
): Promise<void> {
  await rows.deleteFrom("alertRules").where("orgId", "=", orgId).where("id", "=", id).execute();
}

/** The open alerts of rules, and those that were resolved after `since`. */
export function ruleAlertsSince(rows: RowStore, orgId: string, since: string): Promise<AlertRow[]> {
  return alertsOf(rows, orgId)
    .where("ruleId", "is not", null)
    .where((is) => is.or([is("resolvedAt", "is", null), is("resolvedAt", ">", since)]))
    .execute();
}

/** Undefined if the rule has no open alert. */
export function openAlertOfRule(
  rows: RowStore,
  orgId: string,
  ruleId: string,
): Promise<AlertRow | undefined> {
  return alertsOf(rows, orgId)
    .where("ruleId", "=", ruleId)
    .where("resolvedAt", "is", null)
    .executeTakeFirst();
}

/** The rules with an open alert. */
export async function firingRules(rows: RowStore, orgId: string): Promise<ReadonlySet<string>> {
  const open = await rows
    .selectFrom("alerts")
    .select("ruleId")
    .where("orgId", "=", orgId)
    .where("ruleId", "is not", null)
    .where("resolvedAt", "is", null)
    .execute();
  return new Set(open.flatMap(({ ruleId }) => ruleId ?? []));
}

export async function storeRuleText(
  rows: RowStore,
  { orgId, id }: Pick<AlertRow, "orgId" | "id">,
  rule: string,
): Promise<void> {
  const update = rows.updateTable("alerts").set({ rule });
  await update.where("orgId", "=", orgId).where("id", "=", id).execute();
}

/** Until when the rules of an organization were evaluated. */
export async function getRuleProgress(rows: RowStore, orgId: string): Promise<string | undefined> {
  const progress = rows.selectFrom("alertRuleProgress").select("evaluatedTo").where("orgId", "=", orgId);
  return (await progress.executeTakeFirst())?.evaluatedTo;
}

export async function storeRuleProgress(rows: RowStore, orgId: string, evaluatedTo: string): Promise<void> {
  await rows
    .insertInto("alertRuleProgress")
    .values({ orgId, evaluatedTo })
    .onConflict((conflict) => conflict.column("orgId").doUpdateSet({ evaluatedTo }))
    .execute();
}
