import { readFileSync } from "node:fs";
import { minuteMs } from "@flamekeep/contract/durations";
import { type AccountWithHash, ownAccount } from "#accounts/people/queries.ts";
import { verifyPassword } from "#auth/passwords/password.ts";
import type { Context, UserActor } from "#context";
import { invalid, rateLimited } from "#failure";
import { fillBucket, takeTokens } from "#store/row/token-bucket.ts";

/** Guesses of the current password in a session that somebody else may have taken over. */
const guessLimit = { capacity: 5, refillMs: 5 * minuteMs };

export const wrongPassword = () => invalid("The current password is not correct");

/** The account of the session. Throws 400 for a wrong password. Counted before the check, so that concurrent guesses cannot exceed the limit. */
export async function accountWithPassword(
  ctx: Context,
  actor: UserActor,
  password: string,
): Promise<AccountWithHash> {
  const account = await ownAccount(ctx, actor);
  const bucket = { subject: `passwordChange:${account.id}`, ...guessLimit };
  const waitMs = await takeTokens(ctx.rows, [bucket], ctx.now());
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / minuteMs);
    throw rateLimited(`Too many failed attempts. Try again in ${minutes} min.`, Math.ceil(waitMs / 1000));
  }
  if (!(await verifyPassword(account.passwordHash, password, ctx.config.passwordCost))) {
    await ctx.audit.record(actor.orgId, {
      event: "password.refused",
      outcome: "failure",
      actor: { kind: "user", id: actor.userId },
    });
    throw wrongPassword();
  }
  await fillBucket(ctx.rows, bucket);
  return account;
}

/** Facts about a person that others know. */
interface PasswordOwner {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

let common: ReadonlySet<string> | undefined;

/** Throws 400 for a password that an attacker tries first: a common one, or the person's own name or address. */
export function refuseCommonPassword(password: string, owner: PasswordOwner): void {
  if (isCommon(password)) {
    throw invalid("This password is on lists of common passwords. Choose another one.");
  }
  if (isPersonal(password, owner)) {
    throw invalid(
      "This password is your name, your email address or the name of this product. Choose another one.",
    );
  }
}

function isCommon(password: string): boolean {
  common ??= readList();
  return common.has(password.toLowerCase()) || /^(.)\1*$/su.test(password);
}

/** Digits and punctuation around a name do not make it harder to guess. */
function isPersonal(password: string, { email, firstName, lastName }: PasswordOwner): boolean {
  const [local = ""] = email.split("@");
  const names = [email, local, firstName, lastName, firstName + lastName, lastName + firstName, "flamekeep"];
  const core = lettersOf(password);
  return core !== "" && names.some((name) => lettersOf(name) === core);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]/gu, "");
}

/** Read when it is first needed: most starts never need it. */
function readList(): ReadonlySet<string> {
  return new Set(
    readFileSync(new URL("common-passwords.txt", import.meta.url), "utf8")
      .trim()
      .split("\n"),
  );
}
