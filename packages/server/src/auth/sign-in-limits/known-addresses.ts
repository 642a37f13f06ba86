import { dayMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { networkOf } from "#net/network.ts";
import { prepared } from "#store/row/prepared.ts";
import type { RowStore } from "#store/row/row-store.ts";
import type { Step } from "#store/row/steps.ts";
import { signInHash } from "./attempts.ts";

const addressesMax = 20;
const lifeMs = 180 * dayMs;

/** Whether the account signed in from this address in the last 180 days. */
export async function isKnownAddress(ctx: Context, emailKey: string, address: string): Promise<boolean> {
  const row = await accountsThatUsed(ctx.rows, addressFilter(ctx, address))
    .innerJoin("users", "users.id", "knownAddresses.userId")
    .where("users.emailKey", "=", emailKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** The uses of an address that still count. */
interface AddressFilter {
  readonly addressHash: string;
  /** Earlier uses do not count any more. */
  readonly usedAfter: string;
}

export function addressFilter(ctx: Context, address: string): AddressFilter {
  return { addressHash: addressHashOf(ctx, address), usedAfter: oldestUse(ctx.now()) };
}

/** The accounts that signed in from this address in the last 180 days. */
export function accountsThatUsed(rows: RowStore, { addressHash, usedAfter }: AddressFilter) {
  return rows
    .selectFrom("knownAddresses")
    .select("knownAddresses.userId")
    .where("addressHash", "=", addressHash)
    .where("lastUsedAt", ">", usedAfter);
}

/** Stores the address, and keeps the 20 addresses that the account used last. */
export function rememberAddress(ctx: Context, userId: string, address: string): Step[] {
  const use = { userId, addressHash: addressHashOf(ctx, address), lastUsedAt: ctx.now().toISOString() };
  return [
    { statement: upsertKnownAddress(ctx.rows, use) },
    { statement: deleteOlderAddresses(ctx.rows, { userId }) },
  ];
}

interface AddressUse {
  readonly userId: string;
  readonly addressHash: string;
  readonly lastUsedAt: string;
}

const upsertKnownAddress = prepared((rows, { userId, addressHash, lastUsedAt }: AddressUse) =>
  rows
    .insertInto("knownAddresses")
    .values({ userId, addressHash, lastUsedAt })
    .onConflict((conflict) => conflict.columns(["userId", "addressHash"]).doUpdateSet({ lastUsedAt })),
);

const deleteOlderAddresses = prepared((rows, { userId }: Pick<AddressUse, "userId">) => {
  const newest = rows
    .selectFrom("knownAddresses")
    .select("addressHash")
    .where("userId", "=", userId)
    .orderBy("lastUsedAt", "desc")
    .orderBy("addressHash")
    .limit(addressesMax);
  return rows
    .deleteFrom("knownAddresses")
    .where("userId", "=", userId)
    .where("addressHash", "not in", newest);
});

/** Addresses that were last used before this time are removed. */
export function oldestUse(now: Date): string {
  return new Date(now.getTime() - lifeMs).toISOString();
}

function addressHashOf(ctx: Context, address: string): string {
  return signInHash(ctx, `address ${networkOf(address)}`);
}
