import { limits, type TargetDefinition, type TargetInstance } from "@flamekeep/contract";
import { sql } from "kysely";
import { readOwnLimits } from "#store/row/organization-limits.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import type { SealedHeaders } from "#store/row/reseal-target-headers.ts";
import { acrossOrganizations, changesRow, countRows, type RowStore } from "#store/row/row-store.ts";
import type { Owner } from "./scrape.ts";

export interface StoredTarget {
  readonly orgId: string;
  readonly id: string;
  readonly definition: TargetDefinition;
  readonly headers: SealedHeaders;
  readonly changedAt: string;
}

/** How the scrapes of a target go, as the process that scrapes last wrote it. */
export interface TargetState {
  /** Those with errors first. */
  readonly instances: readonly TargetInstance[];
  readonly instanceCount: number;
  readonly failing: number;
  readonly discoveryError: string | null;
}

export const noState: TargetState = { instances: [], instanceCount: 0, failing: 0, discoveryError: null };

const columns = ["orgId", "id", "definition", "headers", "changedAt"] as const;

interface Row {
  readonly orgId: string;
  readonly id: string;
  readonly definition: string;
  readonly headers: string;
  readonly changedAt: string;
}

function toTarget(row: Row): StoredTarget {
  return {
    ...row,
    definition: JSON.parse(row.definition) as TargetDefinition,
    headers: JSON.parse(row.headers) as SealedHeaders,
  };
}

function toRow({ definition, headers, changedAt }: StoredTarget) {
  return {
    definition: JSON.stringify(definition),
    headers: JSON.stringify(headers),
    isEnabled: definition.is_enabled ? (1 as const) : (0 as const),
    changedAt,
  };
}

export async function targetsOf(
  rows: RowStore,
  orgId: string,
): Promise<(StoredTarget & { readonly state: TargetState })[]> {
  const found = await rows
    .selectFrom("targets")
    .leftJoin("targetStates", (join) =>
      join
        .onRef("targetStates.orgId", "=", "targets.orgId")
        .onRef("targetStates.targetId", "=", "targets.id"),
    )
    .select(columns.map((name) => `targets.${name}` as const))
    .select("targetStates.state")
    .where("targets.orgId", "=", orgId)
    .execute();
  return found.map(({ state, ...row }) => ({
    ...toTarget(row),
    state: state === null ? noState : (JSON.parse(state) as TargetState),
  }));
}

export async function findTarget(
  rows: RowStore,
  orgId: string,
  id: string,
): Promise<StoredTarget | undefined> {
  const found = rows.selectFrom("targets").select(columns).where("orgId", "=", orgId).where("id", "=", id);
  const row = await found.executeTakeFirst();
  return row && toTarget(row);
}

/** False if the organization has as many as it may. */
export function insertTarget(rows: RowStore, target: StoredTarget): Promise<boolean> {
  const { orgId, id } = target;
  return lockedTransaction(rows, orgId, async (transaction) => {
    const own = transaction.selectFrom("targets").where("orgId", "=", orgId);
    if ((await countRows(own)) >= limits.targetsMax) return false;
    await transaction
      .insertInto("targets")
      .values({ orgId, id, ...toRow(target) })
      .execute();
    return true;
  });
}

/** False if it no longer exists. The state of the former definition is removed. */
export async function storeTarget(rows: RowStore, target: StoredTarget): Promise<boolean> {
  const { orgId, id } = target;
  const update = rows.updateTable("targets").set(toRow(target));
  const isStored = await changesRow(update.where("orgId", "=", orgId).where("id", "=", id));
  await rows.deleteFrom("targetStates").where("orgId", "=", orgId).where("targetId", "=", id).execute();
  return isStored;
}

export async function deleteTarget(rows: RowStore, orgId: string, id: string): Promise<void> {
  await rows.deleteFrom("targets").where("orgId", "=", orgId).where("id", "=", id).execute();
}

/**
 * Changes whenever the enabled targets do; undefined if there are none. The sum of all times, from days to milliseconds, also
 * changes with a target that a server whose clock is behind changes.
 */
export async function targetsVersion(rows: RowStore): Promise<string | undefined> {
  const found = await enabledTargets(rows)
    .select(({ fn }) => [
      fn.countAll<number | string>().as("count"),
      fn.max("changedAt").as("latest"),
      sql<
        number | string
      >`sum(CAST(replace(replace(replace(substr(targets.changed_at, 9, 15), 'T', ''), ':', ''), '.', '') AS bigint))`.as(
        "times",
      ),
    ])
    .executeTakeFirstOrThrow();
  return found.latest === null ? undefined : `${found.count} ${found.latest} ${found.times}`;
}

/** The targets of all organizations that are scraped. */
export async function allEnabledTargets(rows: RowStore): Promise<StoredTarget[]> {
  const found = await enabledTargets(rows)
    .select(columns.map((name) => `targets.${name}` as const))
    .execute();
  return found.map(toTarget);
}

/** An organization with the limits of its uploads. */
export async function readOwner(rows: RowStore, orgId: string): Promise<Owner> {
  const [ownLimits, { retentionDays }] = await Promise.all([
    readOwnLimits(rows, orgId),
    acrossOrganizations(rows)
      .selectFrom("organizations")
      .select("retentionDays")
      .where("id", "=", orgId)
      .executeTakeFirstOrThrow(),
  ]);
  return { orgId, orgRetentionDays: retentionDays, ownLimits };
}

function enabledTargets(rows: RowStore) {
  return acrossOrganizations(rows)
    .selectFrom("targets")
    .innerJoin("organizations", "organizations.id", "targets.orgId")
    .where("targets.isEnabled", "=", 1)
    .where("organizations.suspendedAt", "is", null);
}

interface ChangedState {
  readonly orgId: string;
  readonly targetId: string;
  readonly state: TargetState;
}

const statesPerStatement = 100;

/** Writes the states of targets that still exist. */
export async function storeStates(rows: RowStore, states: readonly ChangedState[]): Promise<void> {
  if (states.length === 0) return;
  await acrossOrganizations(rows)
    .transaction()
    .execute(async (transaction) => {
      for (let from = 0; from < states.length; from += statesPerStatement) {
        const part = states.slice(from, from + statesPerStatement);
        const ids = part.map(({ targetId }) => targetId);
        const existing = await transaction
          .selectFrom("targets")
          .select("id")
          .where("id", "in", ids)
          .execute();
        const stored = new Set(existing.map(({ id }) => id));
        const values = part
          .filter(({ targetId }) => stored.has(targetId))
          .map((each) => ({ ...each, state: JSON.stringify(each.state) }));
        if (values.length === 0) continue;
        await transaction
          .insertInto("targetStates")
          .values(values)
          .onConflict((conflict) =>
            conflict
              .columns(["orgId", "targetId"])
              .doUpdateSet(({ ref }) => ({ state: ref("excluded.state") })),
          )
          .execute();
      }
    });
}
