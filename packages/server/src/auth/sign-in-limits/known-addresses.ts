import { dayMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { networkOf } from "#net/network.ts";
import type { Step } from "#store/row/steps.ts";
import { signInHash } from "./sign-in-hash.ts";

const addressesMax = 20;
const lifeMs = 180 * dayMs;

/** Whether the account signed in from this address in the last 180 days. */
export async function isKnownAddress(ctx: Context, emailKey: string, address: string): Promise<boolean> {
  const row = await usesOf(ctx, address)
    .innerJoin("users", "users.id", "knownAddresses.userId")
    .where("users.emailKey", "=", emailKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** The accounts that signed in from this address in the last 180 days. */
export function usesOf(ctx: Context, address: string) {
  return ctx.rows
    .selectFrom("knownAddresses")
    .select("knownAddresses.userId")
    .where("addressHash", "=", addressHashOf(ctx, address))
    .where("lastUsedAt", ">", oldestUse(ctx.now()));
}

/** Stores the address, and keeps the 20 addresses that the account used last. */
export function rememberAddress(ctx: Context, userId: string, address: string): Step[] {
  const lastUsedAt = ctx.now().toISOString();
  const addressHash = addressHashOf(ctx, address);
  const stored = ctx.rows
    .insertInto("knownAddresses")
    .values({ userId, addressHash, lastUsedAt })
    .onConflict((conflict) => conflict.columns(["userId", "addressHash"]).doUpdateSet({ lastUsedAt }));
  const newest = ctx.rows
    .selectFrom("knownAddresses")
    .select("addressHash")
    .where("userId", "=", userId)
    .orderBy("lastUsedAt", "desc")
    .orderBy("addressHash")
    .limit(addressesMax);
  const older = ctx.rows
    .deleteFrom("knownAddresses")
    .where("userId", "=", userId)
    .where("addressHash", "not in", newest);
  return [{ statement: stored }, { statement: older }];
}

/** Addresses that were last used before this time are removed. */
export function oldestUse(now: Date): string {
  return new Date(now.getTime() - lifeMs).toISOString();
}

function addressHashOf(ctx: Context, address: string): string {
  return signInHash(ctx, `address ${networkOf(address)}`);
}
