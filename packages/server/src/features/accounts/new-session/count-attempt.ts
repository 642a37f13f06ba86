import { type CountedAttempt, countAttempt, type Origin, signInHash } from "#auth/sign-in-limits/attempts.ts";
import { deviceOf } from "#auth/sign-in-limits/device-cookie.ts";
import { isKnownAddress } from "#auth/sign-in-limits/known-addresses.ts";
import type { Context } from "#context";
import { Failure } from "#failure";
import type { Caller } from "#http/endpoint/caller.ts";

interface CallersAttempt {
  readonly emailKey: string;
  readonly caller: Caller;
  readonly proof: Parameters<typeof countAttempt>[3];
  /** Whether the account signed in from this address before. Read from the store if absent. */
  readonly isAddressKnown?: boolean;
  /** For the audit log, if the attempt is refused. */
  readonly findUserId: () => Promise<string | undefined>;
}

/** Counts an attempt to sign in. Throws 429 after too many failed ones. */
export async function countCallersAttempt(ctx: Context, attempt: CallersAttempt): Promise<CountedAttempt> {
  const { emailKey, proof, findUserId } = attempt;
  return countAttempt(ctx, emailKey, await originOf(ctx, attempt), proof).catch((cause) => {
    // A store that cannot be reached locks nobody out.
    if (!(cause instanceof Failure) || cause.code !== "rate_limited") throw cause;
    const locked = { event: "session.locked", outcome: "failure" } as const;
    ctx.audit.recordThrottled(`locked:${signInHash(ctx, emailKey)}`, findUserId, locked);
    throw cause;
  });
}

async function originOf(ctx: Context, { emailKey, caller, isAddressKnown }: CallersAttempt): Promise<Origin> {
  const { address, isAddressShared, headers } = caller;
  const deviceId = deviceOf(ctx, emailKey, headers.cookie);
  if (deviceId !== undefined) return { kind: "device", deviceId };
  const isKnown = !isAddressShared && (isAddressKnown ?? (await isKnownAddress(ctx, emailKey, address)));
  return { kind: isKnown ? "known address" : "unknown address", address };
}
