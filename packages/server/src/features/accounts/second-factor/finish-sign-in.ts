import type * as calls from "@flamekeep/contract";
import type { InputOf, SignedIn } from "@flamekeep/contract";
import { queueFactorNotice } from "#accounts/email/mails.ts";
import { usableInvitation } from "#accounts/invitations/join.ts";
import { countCallersAttempt } from "#accounts/new-session/count-attempt.ts";
import { openSession } from "#accounts/new-session/open-session.ts";
import { emailKeyOf, type PersonWithHash } from "#accounts/people/queries.ts";
import { recoveryCodeHash } from "#auth/second-factor/totp.ts";
import type { CountedAttempt } from "#auth/sign-in-limits/attempts.ts";
import type { Context } from "#context";
import { Failure, invalid, unauthenticated } from "#failure";
import type { Caller } from "#http/endpoint/caller.ts";
import type { RowStore } from "#store/row/row-store.ts";
import { challengedPerson, consumeChallenge } from "./challenges.ts";
import { acceptStep, consumeRecoveryCode, totpOf } from "./queries.ts";
import { stepOf } from "./totp.ts";

/** The same for a token that never existed, was used, or expired, and after a change of the password. */
export const challengeExpired = () => invalid("Your sign-in took too long. Enter your password again.");
const refused = () => unauthenticated("This code is not correct, or was used before.");

/** Checks the second factor of a sign-in whose password was right, and starts the session. */
export async function finishSignIn(
  ctx: Context,
  _actor: null,
  input: InputOf<typeof calls.finishLogin>,
  caller: Caller,
): Promise<SignedIn> {
  const person = await challengedPerson(ctx, input.token);
  if (person === undefined) throw challengeExpired();
  const emailKey = emailKeyOf(person.email);
  // Before the attempt is counted: a sign-in that ends here has tried no code.
  const invitation = await usableInvitation(ctx, input.invitation, emailKey);
  const codeHash = recoveryCodeHash(input.code);
  const findUserId = async () => person.id;
  const proof = codeHash === undefined ? "code" : "recovery code";
  const attempt = await countCallersAttempt(ctx, { emailKey, caller, proof, findUserId });
  const use = (rows: RowStore) =>
    codeHash === undefined
      ? consumeTotp(ctx, rows, person.id, input.code)
      : consumeRecoveryCode(rows, { userId: person.id, codeHash, now: ctx.now() });
  await consumeTokenAndCode(ctx, { token: input.token, person, attempt, use });
  if (codeHash !== undefined) {
    ctx.log.info({ userId: person.id }, "signed in with a recovery code");
    ctx.audit.recordInAllOrganizations(person.id, { event: "recovery_code.used" });
    queueFactorNotice(ctx, person.email, "recoveryCodeUsed");
  }
  return openSession(ctx, person, { caller, invitation, countSteps: attempt.successSteps });
}

interface Proof {
  readonly token: string;
  readonly person: PersonWithHash;
  readonly attempt: CountedAttempt;
  /** Uses the second factor up; false if it is wrong. */
  readonly use: (rows: RowStore) => Promise<boolean>;
}

/** Uses up the token and the code together: a wrong code leaves the token, and a used token leaves the code. */
async function consumeTokenAndCode(ctx: Context, { token, person, attempt, use }: Proof): Promise<void> {
  try {
    await ctx.rows.transaction().execute(async (rows) => {
      if (!(await consumeChallenge(rows, token))) throw challengeExpired();
      if (!(await use(rows))) throw refused();
    });
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.code !== "unauthenticated") await attempt.withdraw();
    else {
      ctx.metrics.count("flamekeep_second_factors_refused_total", "Sign-ins with a wrong second factor.");
      ctx.audit.recordInAllOrganizations(person.id, { event: "session.code_refused", outcome: "failure" });
    }
    throw cause;
  }
}

async function consumeTotp(ctx: Context, rows: RowStore, userId: string, code: string): Promise<boolean> {
  const totp = await totpOf(rows, userId);
  if (totp === undefined || totp.confirmedAt === null) return false;
  const step = stepOf(ctx, totp, code);
  return step !== undefined && acceptStep(rows, userId, step);
}
