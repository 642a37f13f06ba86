import { createHmac } from "node:crypto";
import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { type Failure, rateLimited } from "#failure";
import { networkOf } from "#net/network.ts";
import { runSteps, type Step } from "#store/row/steps.ts";
import { type Bucket, returnTokens, takeToken, takeTokens } from "#store/row/token-bucket.ts";

/**
 * Wrong passwords that may be tried at once, and how long one more takes. `account` counts attempts from addresses that are
 * unknown to the account; `address` counts all but the attempts of known devices. `code` and `deviceCode` count
 * codes of an authenticator app, which are only six digits, from elsewhere and from all known devices: no reset of the password fills them. docs/decisions/0014 says which rates an attacker gets.
 */
export const attemptLimits = {
  device: { capacity: 10, refillMs: minuteMs },
  accountAndAddress: { capacity: 10, refillMs: 10 * minuteMs },
  account: { capacity: 20, refillMs: 5 * minuteMs },
  address: { capacity: 200, refillMs: 20_000 },
  code: { capacity: 20, refillMs: 15 * minuteMs },
  deviceCode: { capacity: 20, refillMs: 15 * minuteMs },
} as const;

/** Right passwords: each makes a session. */
const sessionLimit = { capacity: 60, refillMs: 2_000 };

/** The origin of an attempt, as the account knows it. */
export type Origin =
  | { readonly kind: "device"; readonly deviceId: string }
  | { readonly kind: "known address" | "unknown address"; readonly address: string };

/** An attempt that was counted before its password was checked. */
export interface CountedAttempt {
  /** For a correct password: steps that uncount this attempt and earlier ones from the same origin. Run them in the transaction that starts the session. */
  readonly successSteps: readonly Step[];
  /** The password could not be checked: removes this attempt from the count. */
  withdraw(): Promise<void>;
}

/** Counts the attempt. Throws 429 where the origin, the account or the address has no attempt left. */
export async function countAttempt(
  ctx: Context,
  emailKey: string,
  origin: Origin,
  proof: "password" | "recovery code" | "code" = "password",
): Promise<CountedAttempt> {
  const [own, ...shared] = bucketsOf(ctx, emailKey, origin);
  // Apart, so that guesses from elsewhere do not lock the owner's devices out.
  if (proof === "code")
    shared.push(bucketOf(origin.kind === "device" ? "deviceCode" : "code", signInHash(ctx, emailKey)));
  const buckets = [own, ...shared];
  const waitMs = await takeTokens(ctx.rows, buckets, ctx.now());
  if (waitMs > 0) {
    ctx.metrics.count("flamekeep_sign_ins_refused_total", "Sign-ins blocked after too many failures.");
    throw tooMany("failed attempts", waitMs);
  }
  return {
    successSteps: returnTokens(ctx.rows, shared, own),
    withdraw: () => runSteps(ctx.rows, returnTokens(ctx.rows, buckets)),
  };
}

/** Throws 429 if a user signs in so often that sessions would fill the store. */
export function countSession(ctx: Context, userId: string): Promise<void> {
  return runSteps(ctx.rows, [sessionCountStep(ctx, userId)]);
}

/** As `countSession`, for the transaction that starts the session. */
export function sessionCountStep(ctx: Context, userId: string): Step {
  const bucket = { subject: `sessions:${userId}`, ...sessionLimit };
  const orThrow = () => tooMany("sign-ins", sessionLimit.refillMs);
  return takeToken(ctx.rows, bucket, { now: ctx.now(), orThrow });
}

/** Allows the account all attempts again, from everywhere: after a reset its password is a new one. */
export async function endLockOut(ctx: Context, emailKey: string): Promise<void> {
  const account = signInHash(ctx, emailKey);
  for (const kind of ["account", "accountAndAddress", "device"] as const) {
    await ctx.rows.deleteFrom("tokenBuckets").where("subject", "like", `${kind}:${account}%`).execute();
  }
}

/** The first bucket is for this origin and account only, the others are shared. */
function bucketsOf(ctx: Context, emailKey: string, origin: Origin): [Bucket, ...Bucket[]] {
  const account = signInHash(ctx, emailKey);
  if (origin.kind === "device") return [bucketOf("device", account, signInHash(ctx, origin.deviceId))];
  const network = signInHash(ctx, networkOf(origin.address));
  const own = bucketOf("accountAndAddress", account, network);
  // Counted for every account: otherwise the replies would reveal which accounts know the address.
  const address = bucketOf("address", network);
  return origin.kind === "known address" ? [own, address] : [own, bucketOf("account", account), address];
}

/** @param hashes the account, network or device, hashed */
function bucketOf(kind: keyof typeof attemptLimits, ...hashes: readonly string[]): Bucket {
  return { subject: [kind, ...hashes].join(":"), ...attemptLimits[kind] };
}

function tooMany(events: string, waitMs: number): Failure {
  const seconds = Math.ceil(waitMs / 1000);
  const wait = seconds <= 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
  return rateLimited(`Too many ${events}. Try again in ${wait}.`, seconds);
}

/**
 * Hashes what is stored about attempts to sign in. Keyed: there are few enough IPv4 addresses to try them all against a plain hash, and
 * people type anything into an address field, passwords included.
 */
export function signInHash(ctx: Context, text: string): string {
  return createHmac("sha256", ctx.signInKey).update(text).digest("hex");
}
