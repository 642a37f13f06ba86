import type * as calls from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { queueFactorNotice } from "#accounts/email/mails.ts";
import { accountWithPassword } from "#accounts/passwords/checks.ts";
import { personById } from "#accounts/people/queries.ts";
import { base32, generateTotpSecret, stepOfCode, totpUri } from "#auth/second-factor/totp.ts";
import type { Context } from "#context";
import { Failure, invalid, notFound } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { totpPlace } from "#store/row/reseal-totp-secrets.ts";
import { changesRow } from "#store/row/row-store.ts";
import { codesForFactor, getSecondFactors, removeCodesWithoutFactor } from "./methods.ts";
import { totpOf } from "./queries.ts";

const confirmWithinMs = 15 * minuteMs;

const wrongCode = () =>
  invalid("This code is not correct. Enter the current code from your app, and check your phone's clock.");
const notStarted = () => invalid("The setup of the app took too long. Start again.");

export const startTotp: Operation<typeof calls.startTotp> = async (ctx, actor, input) => {
  const { id: userId, email } = await accountWithPassword(ctx, actor, input.password);
  const secret = generateTotpSecret();
  const started = {
    secret: ctx.factorSeal.seal(Buffer.from(secret).toString("hex"), totpPlace(userId)),
    createdAt: ctx.now().toISOString(),
  };
  const insertion = ctx.rows
    .insertInto("totpSecrets")
    .values({ userId, ...started })
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet(started).where("totpSecrets.confirmedAt", "is", null),
    );
  if (!(await changesRow(insertion))) {
    throw new Failure("conflict", "An authenticator app is set up already. Remove it first.");
  }
  return { secret: base32(secret), uri: totpUri(secret, email) };
};

export const confirmTotp: Operation<typeof calls.confirmTotp> = async (ctx, { userId }, input) => {
  const started = await totpOf(ctx.rows, userId);
  if (started === undefined || started.confirmedAt !== null) throw notStarted();
  const now = ctx.now();
  if (now.getTime() - Date.parse(started.createdAt) > confirmWithinMs) throw notStarted();
  const step = stepOf(ctx, started, input.code);
  if (step === undefined) throw wrongCode();
  const codes = await ctx.rows.transaction().execute(async (rows) => {
    const newCodes = await codesForFactor(rows, userId, now);
    const update = rows
      .updateTable("totpSecrets")
      .set({ confirmedAt: now.toISOString(), lastStep: step })
      .where("userId", "=", userId)
      .where("secret", "=", started.secret)
      .where("confirmedAt", "is", null);
    if (!(await changesRow(update))) throw notStarted();
    return newCodes;
  });
  ctx.sessions.forgetUser(userId);
  ctx.log.info({ userId }, "authenticator app added");
  await notify(ctx, userId, "totpAdded");
  return { recovery_codes: codes };
};

export const removeTotp: Operation<typeof calls.removeTotp> = async (ctx, actor, input) => {
  const { id: userId } = await accountWithPassword(ctx, actor, input.password);
  await ctx.rows.transaction().execute(async (rows) => {
    const deletion = rows
      .deleteFrom("totpSecrets")
      .where("userId", "=", userId)
      .where("confirmedAt", "is not", null);
    if (!(await changesRow(deletion))) throw notFound("Authenticator app");
    await removeCodesWithoutFactor(rows, userId);
  });
  ctx.sessions.forgetUser(userId);
  ctx.log.info({ userId }, "authenticator app removed");
  await notify(ctx, userId, "totpRemoved");
  return getSecondFactors(ctx, actor);
};

/** The step of a code of the person's app; undefined for a wrong or used code. */
export function stepOf(
  ctx: Context,
  totp: { readonly userId: string; readonly secret: string; readonly lastStep: number },
  code: string,
): number | undefined {
  const opened = ctx.factorSeal.open(totp.secret, totpPlace(totp.userId));
  if (!opened.ok) {
    ctx.log.error(
      { userId: totp.userId, reason: opened.reason },
      "the secret of an authenticator app cannot be read",
    );
    throw new Failure(
      "conflict",
      "Your authenticator app cannot be checked at the moment. Use a recovery code, or contact the operator of this server.",
    );
  }
  const digits = code.replace(/\s/g, "");
  return stepOfCode(Buffer.from(opened.text, "hex"), digits, { now: ctx.now(), lastStep: totp.lastStep });
}

async function notify(ctx: Context, userId: string, change: "totpAdded" | "totpRemoved"): Promise<void> {
  const person = await personById(ctx.rows, userId);
  if (person !== undefined) queueFactorNotice(ctx, person.email, change);
}
