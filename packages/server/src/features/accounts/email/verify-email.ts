import type * as calls from "@flamekeep/contract";
import type { ReplyOf } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { emailKeyOf, ownAccount } from "#accounts/people/queries.ts";
import { takeStrangerMailAllowance } from "#auth/sign-in-limits/mail-limits.ts";
import { createOpaqueToken, opaqueTokenHash } from "#auth/tokens/opaque-token.ts";
import type { Context, UserActor } from "#context";
import { Failure, invalid, rateLimited } from "#failure";
import type { Caller } from "#http/endpoint/caller.ts";
import type { Operation } from "#http/endpoint/serve.ts";
import { consumeMailToken, mailTokenOwner, removeMailTokens, replaceMailToken } from "./mail-tokens.ts";
import { verificationMail } from "./mails.ts";

interface Account {
  readonly id: string;
  readonly email: string;
}

const purpose = "verify email";
const unusable = () =>
  invalid("Invalid or expired verification link. Sign in and ask for a new one under Settings, Account.");

/**
 * Sends a new account the link that confirms its address, after the reply. Does nothing on a server that sends no mail, and without an
 * allowance: the person can ask for the link later.
 *
 * @param address of the caller
 */
export async function verifyNewAccount(ctx: Context, account: Account, address: string): Promise<void> {
  if (!ctx.mailer.isSending) return;
  const emailKey = emailKeyOf(account.email);
  if (await takeStrangerMailAllowance(ctx, "verify", { emailKey, address })) queueVerification(ctx, account);
}

function queueVerification(ctx: Context, account: Account): void {
  ctx.mailQueue.add(async () => {
    const token = createOpaqueToken();
    const { id: userId, email } = account;
    await replaceMailToken(ctx.rows, {
      tokenHash: token.hash,
      userId,
      purpose,
      replaces: [purpose],
      now: ctx.now(),
      lifeMs: dayMs,
    });
    return verificationMail(ctx.config.publicUrl, email, token.text);
  });
}

export async function sendVerification(
  ctx: Context,
  actor: UserActor,
  _input: object,
  { address }: Caller,
): Promise<ReplyOf<typeof calls.sendVerification>> {
  const account = await ownAccount(ctx, actor);
  if (account.isVerified === 1) throw new Failure("conflict", "Your email address is confirmed already.");
  if (!ctx.mailer.isSending) {
    throw new Failure("conflict", "Email is not set up on this server, so it cannot confirm addresses.");
  }
  const emailKey = emailKeyOf(account.email);
  if (!(await takeStrangerMailAllowance(ctx, "verify", { emailKey, address }))) {
    throw rateLimited("Too many links were sent. Check your inbox, or try again in 20 minutes.", 1200);
  }
  queueVerification(ctx, account);
  return { message: `A link was sent to ${account.email}.` };
}

export const verifyEmail: Operation<typeof calls.verifyEmail> = async (ctx, _actor, input) => {
  const tokenHash = opaqueTokenHash(input.token);
  if (tokenHash === undefined) throw unusable();
  const use = { tokenHash, purposes: [purpose], now: ctx.now() } as const;
  const owner = await mailTokenOwner(ctx.rows, use);
  if (owner === undefined) throw unusable();
  await ctx.rows.transaction().execute(async (rows) => {
    if (!(await consumeMailToken(rows, use))) throw unusable();
    await rows.updateTable("users").set({ isVerified: 1 }).where("id", "=", owner.userId).execute();
    await removeMailTokens(rows, owner.userId, [purpose]);
  });
  ctx.audit.recordInAllOrganizations(owner.userId, { event: "email.confirmed" });
  ctx.log.info({ userId: owner.userId }, "email address confirmed");
  return { message: "Your email address is confirmed." };
};
