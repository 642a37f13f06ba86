import { createHmac } from "node:crypto";
import { dayMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { networkOf } from "#net/network.ts";
import type { RowStore } from "#store/row/row-store.ts";

const addressesMax = 20;
const lifeMs = 180 * dayMs;

/** Whether the account signed in from this address in the last 180 days. Does the same work for an unknown account. */
export async function isKnownAddress(ctx: Context, emailKey: string, address: string): Promise<boolean> {
  const row = await ctx.rows
    .selectFrom("knownAddresses")
    .innerJoin("users", "users.id", "knownAddresses.userId")
    .select("knownAddresses.userId")
    .where("users.emailKey", "=", emailKey)
    .where("addressHash", "=", hashOf(ctx, address))
    .where("lastUsedAt", ">", oldestUse(ctx.now()))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Stores the address, and keeps the 20 addresses that the account used last.
 *
 * @param rows a transaction
 */
export async function rememberAddress(
  ctx: Context,
  rows: RowStore,
  userId: string,
  address: string,
): Promise<void> {
  const lastUsedAt = ctx.now().toISOString();
  const addressHash = hashOf(ctx, address);
  const { numUpdatedRows } = await rows
    .updateTable("knownAddresses")
    .set({ lastUsedAt })
    .where("userId", "=", userId)
    .where("addressHash", "=", addressHash)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  await rows
    .insertInto("knownAddresses")
    .values({ userId, addressHash, lastUsedAt })
    .onConflict((conflict) => conflict.columns(["userId", "addressHash"]).doUpdateSet({ lastUsedAt }))
    .execute();
  const newest = rows
    .selectFrom("knownAddresses")
    .select("addressHash")
    .where("userId", "=", userId)
    .orderBy("lastUsedAt", "desc")
    .orderBy("addressHash")
    .limit(addressesMax);
  await rows
    .deleteFrom("knownAddresses")
    .where("userId", "=", userId)
    .where("addressHash", "not in", newest)
    .execute();
}

/** Addresses that were last used before this time are removed. */
export function oldestUse(now: Date): string {
  return new Date(now.getTime() - lifeMs).toISOString();
}

/** Keyed: there are few enough IPv4 addresses to try them all against a plain hash. */
function hashOf(ctx: Context, address: string): string {
  return createHmac("sha256", ctx.signInKey)
    .update(`address ${networkOf(address)}`)
    .digest("hex");
}
