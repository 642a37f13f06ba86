import type { AnalysisRow } from "#analysis/store/stored-analysis.ts";
import { lockOrganization } from "#store/row/organization-lock.ts";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";

/** Analyses that one organization has in progress, over all servers. */
const perOrganizationMax = 2;
/** A server that died does not renew its lease: after this time another one takes over the analysis. */
export const leaseMs = 60_000;
/** How often an analysis is started: one that crashes the server must not do so forever. */
export const attemptsMax = 3;

/** The `requestKey` of analyses that the server makes every day. */
export const dailyRequest = "daily";
/** Sorts after every time. */
const afterAll = "~";

export type AnalyserKind = "builtin" | "model";

interface Claimant {
  /** One per process. */
  readonly holder: string;
  readonly kind: AnalyserKind;
  readonly now: Date;
}

/**
 * Takes the next pending analysis: of the organization with the fewest in progress, the oldest first. Undefined if there is
 * none that may start now. Two processes never take the same one.
 */
export async function claimNext(rows: RowStore, claimant: Claimant): Promise<AnalysisRow | undefined> {
  for (const orgId of await waitingOrganizations(rows, claimant)) {
    const claimed = await rows.transaction().execute((transaction) => claim(transaction, orgId, claimant));
    if (claimed !== undefined) return claimed;
  }
  return undefined;
}

async function waitingOrganizations(rows: RowStore, { kind, now }: Claimant): Promise<string[]> {
  const all = acrossOrganizations(rows);
  const waiting = await all
    .selectFrom("analyses")
    // Daily analyses begin when nobody waits for another one.
    .select((is) => {
      const isRequested = is.case().when("requestKey", "!=", dailyRequest).then(is.ref("createdAt")).end();
      return ["orgId", is.fn.min(isRequested).as("since")];
    })
    .where("status", "=", "pending")
    .where("provider", kind === "builtin" ? "=" : "!=", "builtin")
    .groupBy("orgId")
    .execute();
  if (waiting.length === 0) return [];
  const busy = await all
    .selectFrom("analyses")
    .select(({ fn }) => ["orgId", fn.countAll<number>().as("count")])
    .where("status", "=", "processing")
    .where("leaseExpiresAt", ">", now.toISOString())
    .groupBy("orgId")
    .execute();
  const inProgress = new Map(busy.map(({ orgId, count }) => [orgId, Number(count)]));
  return waiting
    .map(({ orgId, since }) => ({ orgId, since, count: inProgress.get(orgId) ?? 0 }))
    .filter(({ count }) => count < perOrganizationMax)
    .sort((a, b) => a.count - b.count || ((a.since ?? afterAll) < (b.since ?? afterAll) ? -1 : 1))
    .map(({ orgId }) => orgId);
}

async function claim(
  transaction: RowStore,
  orgId: string,
  { holder, kind, now }: Claimant,
): Promise<AnalysisRow | undefined> {
  // Locked, so that two processes do not exceed the limit of the organization together.
  await lockOrganization(transaction, orgId);
  const { count } = await transaction
    .selectFrom("analyses")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("orgId", "=", orgId)
    .where("status", "=", "processing")
    .where("leaseExpiresAt", ">", now.toISOString())
    .executeTakeFirstOrThrow();
  if (Number(count) >= perOrganizationMax) return undefined;
  const next = await transaction
    .selectFrom("analyses")
    .select(["id", "attempts", "startedAt"])
    .where("orgId", "=", orgId)
    .where("status", "=", "pending")
    .where("provider", kind === "builtin" ? "=" : "!=", "builtin")
    .orderBy((is) => is.case().when("requestKey", "=", dailyRequest).then(1).else(0).end())
    .orderBy("createdAt")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return undefined;
  return transaction
    .updateTable("analyses")
    .set({
      status: "processing",
      holder,
      leaseExpiresAt: new Date(now.getTime() + leaseMs).toISOString(),
      startedAt: next.startedAt ?? now.toISOString(),
      attempts: next.attempts + 1,
    })
    .where("orgId", "=", orgId)
    .where("id", "=", next.id)
    .where("status", "=", "pending")
    .returningAll()
    .executeTakeFirst();
}

/** Extends the lease; false if the analysis was removed or another process has it. */
export async function renewLease(
  rows: RowStore,
  { orgId, id }: Pick<AnalysisRow, "orgId" | "id">,
  { holder, now }: Pick<Claimant, "holder" | "now">,
): Promise<boolean> {
  const renewed = await rows
    .updateTable("analyses")
    .set({ leaseExpiresAt: new Date(now.getTime() + leaseMs).toISOString() })
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .where("holder", "=", holder)
    .where("status", "=", "processing")
    .executeTakeFirstOrThrow();
  return renewed.numUpdatedRows > 0n;
}

const interruptedError =
  "The server stopped during each attempt at this analysis. Try again, and contact the operator if it happens again.";

/**
 * Requeues analyses whose process died, and fails those that were started too often. A lease that ends far in
 * the future was written by a clock that ran ahead.
 *
 * @param isOnlyProcess whether a lease of another holder can only be from an earlier run of this server
 */
export async function requeueLost(
  rows: RowStore,
  { holder, now, isOnlyProcess }: Pick<Claimant, "holder" | "now"> & { readonly isOnlyProcess: boolean },
): Promise<number> {
  const processing = await acrossOrganizations(rows)
    .selectFrom("analyses")
    .select(["id", "orgId", "holder", "attempts", "leaseExpiresAt"])
    .where("status", "=", "processing")
    .execute();
  const longest = new Date(now.getTime() + 2 * leaseMs).toISOString();
  const lost = processing.filter(({ holder: other, leaseExpiresAt }) => {
    if (leaseExpiresAt === null || leaseExpiresAt <= now.toISOString() || leaseExpiresAt > longest)
      return true;
    return isOnlyProcess && other !== holder;
  });
  for (const { orgId, id, attempts, leaseExpiresAt } of lost) {
    const isOver = attempts >= attemptsMax;
    await rows
      .updateTable("analyses")
      .set({
        status: isOver ? "failed" : "pending",
        holder: null,
        leaseExpiresAt: null,
        error: isOver ? interruptedError : null,
        completedAt: isOver ? now.toISOString() : null,
      })
      .where("orgId", "=", orgId)
      .where("id", "=", id)
      .where("status", "=", "processing")
      .where("leaseExpiresAt", leaseExpiresAt === null ? "is" : "=", leaseExpiresAt)
      .execute();
  }
  return lost.length;
}
