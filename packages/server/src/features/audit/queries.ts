import type { AuditEvent } from "@flamekeep/contract";
import type { Selectable } from "kysely";
import type { Database, RowStore } from "#store/row/row-store.ts";

export type AuditRow = Selectable<Database["auditEntries"]> & { readonly email: string | null };

interface Page {
  readonly event?: AuditEvent | undefined;
  /** The id of the last entry of the page before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Entries of an organization, newest first. */
export function auditPage(
  rows: RowStore,
  orgId: string,
  { event, before, limit }: Page,
): Promise<AuditRow[]> {
  let page = rows
    .selectFrom("auditEntries")
    .leftJoin("users", "users.id", "auditEntries.actorId")
    .selectAll("auditEntries")
    .select("users.email")
    .where("auditEntries.orgId", "=", orgId);
  if (event !== undefined) page = page.where("auditEntries.event", "=", event);
  if (before !== undefined) page = page.where("auditEntries.id", "<", before);
  return page.orderBy("auditEntries.id", "desc").limit(limit).execute();
}
