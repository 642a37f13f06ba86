import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { rateLimited } from "#failure";
import { networkOf } from "#net/network.ts";
import { takeTokens } from "#store/row/token-bucket.ts";
import { hashOf } from "./attempts.ts";

/** Requests for mail from one network, and mails of one kind to one address: nobody can fill a mailbox. */
const requestLimit = { capacity: 10, refillMs: 6 * minuteMs };
const mailLimit = { capacity: 3, refillMs: 20 * minuteMs };

/** Throws 429 after ten requests at once from one network; it may make one more every six minutes. */
export async function countMailRequest(ctx: Context, address: string): Promise<void> {
  const subject = `mailRequests:${hashOf(ctx, networkOf(address))}`;
  const waitMs = await takeTokens(ctx.rows, [{ subject, ...requestLimit }], ctx.now());
  if (waitMs === 0) return;
  const minutes = Math.ceil(waitMs / minuteMs);
  throw rateLimited(`Too many requests for mail. Try again in ${minutes} min.`, Math.ceil(waitMs / 1000));
}

/** Takes one mail from the allowance of an address, in any case: three at once, then one every twenty minutes. False if none is left. */
export async function takeMailAllowance(
  ctx: Context,
  kind: "reset" | "verify" | "changed" | "invite" | "alert test",
  address: string,
): Promise<boolean> {
  const subject = `mails:${kind}:${hashOf(ctx, address.trim().toLowerCase())}`;
  return (await takeTokens(ctx.rows, [{ subject, ...mailLimit }], ctx.now())) === 0;
}
