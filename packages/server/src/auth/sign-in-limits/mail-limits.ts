import { createHmac } from "node:crypto";
import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { rateLimited } from "#failure";
import { networkOf } from "#net/network.ts";
import { takeTokens } from "#store/row/token-bucket.ts";

/** Requests for mail from one network, and mails of one kind to one address: nobody can fill a mailbox. */
const requestLimit = { capacity: 10, refillMs: 6 * minuteMs };
const mailLimit = { capacity: 3, refillMs: 20 * minuteMs };

/** Throws 429 after ten requests in an hour from one network. */
export async function countMailRequest(ctx: Context, address: string): Promise<void> {
  const subject = `mailRequests:${hashOf(ctx, networkOf(address))}`;
  const waitMs = await takeTokens(ctx.rows, [{ subject, ...requestLimit }], ctx.now());
  if (waitMs === 0) return;
  const minutes = Math.ceil(waitMs / minuteMs);
  throw rateLimited(`Too many requests for mail. Try again in ${minutes} min.`, Math.ceil(waitMs / 1000));
}

/** Counts a mail to an address; false after three in an hour. */
export async function mayMail(ctx: Context, kind: "reset" | "verify", emailKey: string): Promise<boolean> {
  const subject = `mails:${kind}:${hashOf(ctx, emailKey)}`;
  return (await takeTokens(ctx.rows, [{ subject, ...mailLimit }], ctx.now())) === 0;
}

function hashOf(ctx: Context, name: string): string {
  return createHmac("sha256", ctx.signInKey).update(name).digest("hex");
}
