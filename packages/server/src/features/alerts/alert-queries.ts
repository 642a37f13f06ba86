import type { RowStore } from "#store/row/row-store.ts";
import type { AlertRow } from "./stored-alert.ts";

export interface AlertPage {
  readonly service: string | undefined;
  readonly status: "open" | "resolved" | "all";
  /** Exclusive. */
  readonly before: { readonly openedAt: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** Newest first. */
export function alertPage(rows: RowStore, orgId: string, page: AlertPage): Promise<AlertRow[]> {
  const { service, status, before, limit } = page;
  let query = rows.selectFrom("alerts").selectAll().where("orgId", "=", orgId);
  if (service !== undefined) query = query.where("service", "=", service);
  if (status === "open") query = query.where("resolvedAt", "is", null);
  if (status === "resolved") query = query.where("resolvedAt", "is not", null);
  if (before !== undefined) {
    query = query.where((is) =>
      is.or([
        is("openedAt", "<", before.openedAt),
        is.and([is("openedAt", "=", before.openedAt), is("id", "<", before.id)]),
      ]),
    );
  }
  return query.orderBy("openedAt", "desc").orderBy("id", "desc").limit(limit).execute();
}

/** Open alerts nobody muted. */
export async function countOpenAlerts(rows: RowStore, orgId: string): Promise<number> {
  const { count } = await rows
    .selectFrom("alerts")
    .leftJoin("alertMutes", (join) =>
      join
        .onRef("alertMutes.orgId", "=", "alerts.orgId")
        .onRef("alertMutes.service", "=", "alerts.service")
        .onRef("alertMutes.type", "=", "alerts.type"),
    )
    .select((is) => is.fn.countAll<number>().as("count"))
    .where("alerts.orgId", "=", orgId)
    .where("resolvedAt", "is", null)
    .where("alertMutes.service", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Open ones, and those that began or ended since. */
export function alertsSince(rows: RowStore, orgId: string, since: string): Promise<AlertRow[]> {
  return rows
    .selectFrom("alerts")
    .selectAll()
    .where("orgId", "=", orgId)
    .where((is) =>
      is.or([is("resolvedAt", "is", null), is("resolvedAt", ">", since), is("openedAt", ">", since)]),
    )
    .execute();
}

export interface Muted {
  readonly service: string;
  readonly type: string;
}

export function mutedSeries(rows: RowStore, orgId: string): Promise<Muted[]> {
  return rows
    .selectFrom("alertMutes")
    .select(["service", "type"])
    .where("orgId", "=", orgId)
    .orderBy("service")
    .orderBy("type")
    .execute();
}

export interface Progress {
  readonly evaluatedTo: string;
  readonly lookedAt: string;
}

export function progressOf(rows: RowStore, orgId: string): Promise<Progress | undefined> {
  return rows
    .selectFrom("alertProgress")
    .select(["evaluatedTo", "lookedAt"])
    .where("orgId", "=", orgId)
    .executeTakeFirst();
}

export async function keepProgress(rows: RowStore, orgId: string, progress: Progress): Promise<void> {
  await rows
    .insertInto("alertProgress")
    .values({ orgId, ...progress })
    .onConflict((conflict) => conflict.column("orgId").doUpdateSet(progress))
    .execute();
}

export async function watchedOrganizations(rows: RowStore): Promise<string[]> {
  const found = await rows
    .selectFrom("organizations")
    .select("id")
    .where("suspendedAt", "is", null)
    .execute();
  return found.map(({ id }) => id);
}
