import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";

/** The deletion of a service. */
export interface ServiceRemoval {
  readonly id: string;
  readonly orgId: string;
  readonly service: string;
  /** When it began. */
  readonly at: Date;
}

export interface ServiceRemovals {
  /** Changes when a deletion begins or ends, so that what is remembered of uploads can be cleared. */
  readonly version: string;
  /** Deletions that have begun and not ended: any part of these services may be gone or still stored. */
  readonly unfinished: readonly ServiceRemoval[];
}

/** The latest removal of each service, whether it has finished or not. */
export async function latestServiceRemovals(rows: RowStore): Promise<ServiceRemoval[]> {
  const found = await acrossOrganizations(rows)
    .selectFrom("serviceRemovals")
    .select(["id", "orgId", "name as service", "removedAt"])
    .orderBy("removedAt")
    .execute();
  const removals = found.map(({ removedAt, ...removal }) => ({ ...removal, at: new Date(removedAt) }));
  return [...new Map(removals.map((each) => [`${each.orgId}/${each.service}`, each])).values()];
}

/** Whether a deletion of the service began after `at`, or of its organization at any time. */
export async function isRemovedSince(
  rows: RowStore,
  { orgId, service, at }: Omit<ServiceRemoval, "id">,
): Promise<boolean> {
  const found = await rows
    .selectFrom("serviceRemovals")
    .select("orgId")
    .where("orgId", "=", orgId)
    .where("name", "=", service)
    .where("removedAt", ">", at.toISOString())
    .unionAll(rows.selectFrom("organizationRemovals").select("orgId").where("orgId", "=", orgId))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** All deletions of services that this row store records. */
export async function readServiceRemovals(rows: RowStore): Promise<ServiceRemovals> {
  const all = acrossOrganizations(rows);
  const counting = all.selectFrom("serviceRemovals").select(({ fn }) => fn.countAll<number>().as("count"));
  const { count } = await counting.executeTakeFirstOrThrow();
  const found = await all
    .selectFrom("serviceRemovals")
    .select(["id", "orgId", "name as service", "removedAt"])
    .where("finishedAt", "is", null)
    .orderBy("removedAt")
    .execute();
  const unfinished = found.map(({ removedAt, ...removal }) => ({ ...removal, at: new Date(removedAt) }));
  return { version: `${count}-${unfinished.length}-`, unfinished };
}
