import type { FeedbackRow } from "#analysis/store/stored-analysis.ts";
import type { RowStore } from "#store/row/row-store.ts";
import type { FindingRow } from "./stored-finding.ts";

/** The columns for place, filter and sums of a finding: each page of the list reads them for all findings of the organization. */
export interface ListedFinding
  extends Pick<
    FindingRow,
    | "id"
    | "service"
    | "displayType"
    | "category"
    | "priority"
    | "ownerId"
    | "unit"
    | "inUse"
    | "share"
    | "saving"
  > {
  readonly state: FeedbackRow["state"] | "open";
}

/** Current findings, and those about which somebody decided. */
export async function listedFindings(rows: RowStore, orgId: string): Promise<ListedFinding[]> {
  const found = await rows
    .selectFrom("findings")
    .leftJoin("recommendationFeedback as feedback", (join) =>
      join
        .onRef("feedback.orgId", "=", "findings.orgId")
        .onRef("feedback.service", "=", "findings.service")
        .onRef("feedback.rule", "=", "findings.rule")
        .onRef("feedback.function", "=", "findings.function"),
    )
    .select([
      "findings.id",
      "findings.service",
      "findings.displayType",
      "findings.category",
      "findings.priority",
      "findings.ownerId",
      "findings.unit",
      "findings.inUse",
      "findings.share",
      "findings.saving",
      "feedback.state",
    ])
    .where("findings.orgId", "=", orgId)
    .where((is) => is.or([is("findings.isCurrent", "=", 1), is("feedback.state", "is not", null)]))
    .execute();
  return found.map(({ state, ...finding }) => ({ ...finding, state: state ?? "open" }));
}

export async function findingsWithIds(
  rows: RowStore,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FindingRow>> {
  if (ids.length === 0) return new Map();
  const found = await rows
    .selectFrom("findings")
    .selectAll()
    .where("orgId", "=", orgId)
    .where("id", "in", ids)
    .execute();
  return new Map(found.map((row) => [row.id, row]));
}

export function findFinding(rows: RowStore, orgId: string, id: string): Promise<FindingRow | undefined> {
  return rows
    .selectFrom("findings")
    .selectAll()
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function storeOwner(
  rows: RowStore,
  orgId: string,
  { id, ownerId }: Pick<FindingRow, "id" | "ownerId">,
): Promise<void> {
  await rows
    .updateTable("findings")
    .set({ ownerId })
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .execute();
}

/** By id: the names of members. People who left the organization are none. */
export async function memberNames(rows: RowStore, orgId: string): Promise<ReadonlyMap<string, string>> {
  const members = await rows
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.userId")
    .select(["users.id", "users.firstName", "users.lastName"])
    .where("memberships.orgId", "=", orgId)
    .execute();
  return new Map(members.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]));
}
