import { randomUUID } from "node:crypto";
import type * as calls from "@flamekeep/contract";
import { limits, type NewCredential } from "@flamekeep/contract";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { queueFactorNotice } from "#accounts/email/mails.ts";
import { accountWithPassword } from "#accounts/passwords/checks.ts";
import { ownAccount } from "#accounts/people/queries.ts";
import type { Context } from "#context";
import { Failure, invalid, notFound, quotaExceeded } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { replyTo } from "#http/reply/reply.ts";
import { codesForFactor, presentPasskey, removeCodesWithoutFactor } from "./methods.ts";
import {
  challengeLifeMs,
  consumePasskeyChallenge,
  createPasskeyChallenge,
  requireRelyingParty,
} from "./passkey-challenges.ts";
import { deletePasskey, insertPasskey, type PasskeyRow, passkeysOf, renamePasskeyRow } from "./queries.ts";

/** EdDSA, ES256 and RS256, which all authenticators have one of. The library's own list tries experimental parts of Node. */
const algorithms = [-8, -7, -257];

/** The same for a challenge that was used or expired, and for a reply that does not fit it. */
const refused = () => invalid("The passkey was rejected. Start again.");

/** Options for the browser to make a passkey. The library is loaded when it is first needed: it takes a tenth of a second. */
export const startPasskey: Operation<typeof calls.startPasskey> = async (ctx, actor, input) => {
  const account = await accountWithPassword(ctx, actor, input.password);
  const party = requireRelyingParty(ctx.config);
  const existing = await passkeysOf(ctx.rows, account.id);
  refuseTooMany(existing);
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const options = await generateRegistrationOptions({
    rpName: "Flamekeep",
    rpID: party.id,
    userName: account.email,
    userDisplayName: `${account.firstName} ${account.lastName}`,
    userID: new TextEncoder().encode(account.id),
    challenge: await createPasskeyChallenge(ctx, { purpose: "add", userId: account.id }),
    timeout: challengeLifeMs,
    attestationType: "none",
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
  });
  return { options: { ...options } };
};

export const addPasskey: Operation<typeof calls.addPasskey> = async (ctx, actor, input) => {
  const { userId } = actor;
  const account = await ownAccount(ctx, actor);
  const credential = await verifiedCredential(ctx, userId, input.passkey);
  const now = ctx.now();
  const row: PasskeyRow = {
    id: randomUUID(),
    userId,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    transports: JSON.stringify(credential.transports ?? []),
    name: input.name,
    createdAt: now.toISOString(),
    lastUsedAt: null,
  };
  const recovery_codes = await ctx.rows.transaction().execute(async (rows) => {
    refuseTooMany(await passkeysOf(rows, userId));
    const codes = await codesForFactor(rows, userId, now);
    if (!(await insertPasskey(rows, row))) throw new Failure("conflict", "This passkey was added before.");
    return codes;
  });
  ctx.sessions.forgetUser(userId);
  ctx.log.info({ userId, passkeyId: row.id }, "passkey added");
  queueFactorNotice(ctx, account.email, "passkeyAdded");
  return { passkey: presentPasskey(row), recovery_codes };
};

export const renamePasskey: Operation<typeof calls.renamePasskey> = async (ctx, { userId }, input) => {
  const isChanged = await renamePasskeyRow(ctx.rows, userId, input);
  const passkey = (await passkeysOf(ctx.rows, userId)).find(({ id }) => id === input.id);
  if (passkey === undefined) throw notFound("Passkey", input.id);
  return replyTo(isChanged, { passkey: presentPasskey(passkey) });
};

export const removePasskey: Operation<typeof calls.removePasskey> = async (ctx, actor, { id, password }) => {
  const account = await accountWithPassword(ctx, actor, password);
  const removed = await ctx.rows.transaction().execute(async (rows) => {
    const row = await deletePasskey(rows, account.id, id);
    if (row === undefined) throw notFound("Passkey", id);
    await removeCodesWithoutFactor(rows, account.id);
    return row;
  });
  ctx.sessions.forgetUser(account.id);
  ctx.log.info({ userId: account.id, passkeyId: id }, "passkey removed");
  queueFactorNotice(ctx, account.email, "passkeyRemoved");
  return { passkey: presentPasskey(removed) };
};

function refuseTooMany(existing: readonly unknown[]): void {
  if (existing.length < limits.passkeysMax) return;
  throw quotaExceeded(
    `Your account has reached its limit of ${limits.passkeysMax} passkeys. Remove one first.`,
  );
}

async function verifiedCredential(ctx: Context, userId: string, passkey: NewCredential) {
  const party = requireRelyingParty(ctx.config);
  const { clientDataJSON } = passkey.response;
  const expectedChallenge = await consumePasskeyChallenge(ctx, clientDataJSON, { purpose: "add", userId });
  if (expectedChallenge === undefined) throw refused();
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const verification = await verifyRegistrationResponse({
    response: passkey as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch((err: unknown) => {
    ctx.log.info({ err, userId }, "a new passkey was refused");
    throw refused();
  });
  if (!verification.verified) throw refused();
  return verification.registrationInfo.credential;
}
