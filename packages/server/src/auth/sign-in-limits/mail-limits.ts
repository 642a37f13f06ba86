import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { rateLimited } from "#failure";
import { networkOf } from "#net/network.ts";
import { takeTokens } from "#store/row/token-bucket.ts";
import { signInHash } from "./attempts.ts";

/** Requests for reset links from one network. */
const requestLimit = { capacity: 10, refillMs: 6 * minuteMs };
/** Mails of one kind to one address: nobody can fill a mailbox. */
const mailLimit = { capacity: 3, refillMs: 20 * minuteMs };
/** Mails of one kind to strangers that one network causes: room for a new team that invites its people and registers them at once. */
const networkLimit = { capacity: 60, refillMs: 6 * minuteMs };
/** Mails of one kind to strangers that all networks cause together. */
const serverLimit = { capacity: 500, refillMs: minuteMs / 5 };

/** Each kind has a separate allowance. Notices have one for each change they report. */
type MailKind = "reset" | "verify" | "invite" | "alert test" | `notice ${string}`;

/** Throws 429 after ten requests at once from one network; it may make one more every six minutes. */
export async function countMailRequest(ctx: Context, address: string): Promise<void> {
  const subject = `mailRequests:${signInHash(ctx, networkOf(address))}`;
  const waitMs = await takeTokens(ctx.rows, [{ subject, ...requestLimit }], ctx.now());
  if (waitMs === 0) return;
  const minutes = Math.ceil(waitMs / minuteMs);
  throw rateLimited(
    `Too many password reset requests. Try again in ${minutes} min.`,
    Math.ceil(waitMs / 1000),
  );
}

/**
 * Takes one mail from the allowance of an address: three at once, then one every 20 minutes. Logs and returns false if none is left.
 *
 * @param emailKey the address in lower case
 */
export function takeMailAllowance(ctx: Context, kind: MailKind, emailKey: string): Promise<boolean> {
  return take(ctx, kind, [mailBucket(ctx, kind, emailKey)]);
}

/**
 * As `takeMailAllowance`, for mail to an address that anybody can enter: one network, and all of them together, can cause only so
 * much of it.
 *
 * @param address of the caller who causes the mail
 */
export function takeStrangerMailAllowance(
  ctx: Context,
  kind: "verify" | "invite",
  { emailKey, address }: { readonly emailKey: string; readonly address: string },
): Promise<boolean> {
  return take(ctx, kind, [
    mailBucket(ctx, kind, emailKey),
    { subject: `mailsOfNetwork:${kind}:${signInHash(ctx, networkOf(address))}`, ...networkLimit },
    { subject: `mailsOfServer:${kind}`, ...serverLimit },
  ]);
}

function mailBucket(ctx: Context, kind: MailKind, emailKey: string) {
  return { subject: `mails:${kind}:${signInHash(ctx, emailKey)}`, ...mailLimit };
}

async function take(
  ctx: Context,
  kind: MailKind,
  buckets: Parameters<typeof takeTokens>[1],
): Promise<boolean> {
  const waitMs = await takeTokens(ctx.rows, buckets, ctx.now());
  if (waitMs > 0) ctx.log.warn({ kind, waitMs }, "a mail was not sent: its allowance is used up");
  return waitMs === 0;
}
