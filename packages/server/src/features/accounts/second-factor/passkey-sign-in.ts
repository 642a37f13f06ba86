import type * as calls from "@flamekeep/contract";
import type { InputOf, SignedIn, UsedCredential } from "@flamekeep/contract";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { usableInvitation } from "#accounts/invitations/join.ts";
import { openSession } from "#accounts/new-session/open-session.ts";
import { emailKeyOf, type PersonWithHash, personById } from "#accounts/people/queries.ts";
import { sessionCountStep } from "#auth/sign-in-limits/attempts.ts";
import type { Context } from "#context";
import { unauthenticated } from "#failure";
import type { Caller } from "#http/endpoint/caller.ts";
import type { Operation } from "#http/endpoint/serve.ts";
import { challengedPerson, consumeChallenge } from "./challenges.ts";
import { challengeExpired } from "./finish-sign-in.ts";
import {
  challengeLifeMs,
  consumePasskeyChallenge,
  createPasskeyChallenge,
  requireRelyingParty,
} from "./passkey-challenges.ts";
import { type PasskeyRow, passkeyByCredential, passkeysOf, recordUse } from "./queries.ts";

/** The same for an unknown passkey, a wrong signature, a used challenge and a closed account. */
const refused = () => unauthenticated("The passkey was rejected.");

/** Options for the browser to sign in with. They name passkeys only to a person whose password was right. */
export const startPasskeyLogin: Operation<typeof calls.startPasskeyLogin> = async (ctx, _actor, input) => {
  const party = requireRelyingParty(ctx.config);
  const person = await personOfToken(ctx, input.token);
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const allowed = person === undefined ? [] : await passkeysOf(ctx.rows, person.id);
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: await createPasskeyChallenge(ctx, purposeFor(person)),
    timeout: challengeLifeMs,
    allowCredentials: allowed.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: JSON.parse(transports),
    })),
    userVerification: person === undefined ? "required" : "preferred",
  });
  return { options: { ...options } };
};

/** Starts a session for the owner of a passkey, instead of the password or, with a token, in addition to it. */
export async function signInWithPasskey(
  ctx: Context,
  _actor: null,
  input: InputOf<typeof calls.loginWithPasskey>,
  caller: Caller,
): Promise<SignedIn> {
  const challenged = await personOfToken(ctx, input.token);
  const person = await ownerOf(ctx, input.passkey, challenged);
  if (person === undefined) {
    ctx.metrics.count("flamekeep_second_factors_refused_total", "Sign-ins with a wrong second factor.");
    const findUserId = async () =>
      challenged?.id ?? (await passkeyByCredential(ctx.rows, input.passkey.id))?.userId;
    ctx.audit.recordThrottled(`passkey:${input.passkey.id}`, findUserId, {
      event: "session.code_refused",
      outcome: "failure",
    });
    throw refused();
  }
  const invitation = await usableInvitation(ctx, input.invitation, emailKeyOf(person.email));
  if (input.token !== undefined && !(await consumeChallenge(ctx.rows, input.token))) throw challengeExpired();
  const countSteps = [sessionCountStep(ctx, person.id)];
  return openSession(ctx, person, { caller, invitation, countSteps });
}

async function personOfToken(ctx: Context, token: string | undefined): Promise<PersonWithHash | undefined> {
  if (token === undefined) return undefined;
  const person = await challengedPerson(ctx, token);
  if (person === undefined) throw challengeExpired();
  return person;
}

function purposeFor(person: PersonWithHash | undefined) {
  return person === undefined
    ? ({ purpose: "sign in", userId: null } as const)
    : ({ purpose: "second factor", userId: person.id } as const);
}

/** The owner of the passkey, who must be the challenged person if there is one; undefined if anything about it is wrong. */
async function ownerOf(
  ctx: Context,
  passkey: UsedCredential,
  challenged: PersonWithHash | undefined,
): Promise<PersonWithHash | undefined> {
  const { clientDataJSON } = passkey.response;
  const expectedChallenge = await consumePasskeyChallenge(ctx, clientDataJSON, purposeFor(challenged));
  const row = await passkeyByCredential(ctx.rows, passkey.id);
  if (expectedChallenge === undefined || row === undefined) return undefined;
  if (challenged !== undefined && row.userId !== challenged.id) return undefined;
  const isVerificationNeeded = challenged === undefined;
  const counter = await verifiedCounter(ctx, { passkey, row, expectedChallenge, isVerificationNeeded });
  if (counter === undefined) return undefined;
  if (!(await recordUse(ctx.rows, { id: row.id, counter, now: ctx.now() }))) return undefined;
  const person = challenged ?? (await personById(ctx.rows, row.userId));
  return person?.isActive === 1 ? person : undefined;
}

interface Verification {
  readonly passkey: UsedCredential;
  readonly row: PasskeyRow;
  readonly expectedChallenge: string;
  /** Whether the device must have verified the person, as nothing else does. */
  readonly isVerificationNeeded: boolean;
}

/** The count of this use; undefined for a wrong signature, origin or host, and for a count that does not rise. */
async function verifiedCounter(
  ctx: Context,
  { passkey, row, expectedChallenge, isVerificationNeeded }: Verification,
): Promise<number | undefined> {
  const party = requireRelyingParty(ctx.config);
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: passkey as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: row.credentialId,
        publicKey: new Uint8Array(Buffer.from(row.publicKey, "base64url")),
        counter: row.counter,
      },
      requireUserVerification: isVerificationNeeded,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch (err) {
    // The library throws a different error for each fault; the reply must not distinguish them.
    ctx.log.warn({ err, userId: row.userId, passkeyId: row.id }, "a passkey was refused");
    return undefined;
  }
}
