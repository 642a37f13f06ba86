import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { SigningKeys } from "#auth/tokens/access-token.ts";

/** Clocks of members may differ by this much. */
export const clockMsMax = 60_000;

/** All that the signature of a call covers. */
export interface SignedCall {
  readonly name: string;
  /** Ids of members. */
  readonly from: string;
  readonly to: string;
  readonly atMs: number;
  /** See `digestOf`. */
  readonly digest: string;
}

export function digestOf(body: Uint8Array): string {
  return hash("sha256", body, "base64url");
}

/** By each key, so that members accept each other while `AUTH_SECRET` is changed on one after the other. */
export function signCall(keys: SigningKeys, call: SignedCall): string {
  return keys.map((key) => macOf(key, callText(call))).join(",");
}

export function isCallSigned(keys: SigningKeys, call: SignedCall, signature: string): boolean {
  return matches(keys, callText(call), signature);
}

/** A reply belongs to one call: another process that got the address cannot give it. */
export function signReply(keys: SigningKeys, callSignature: string, digest: string): string {
  return keys.map((key) => macOf(key, replyText(callSignature, digest))).join(",");
}

export function isReplySigned(
  keys: SigningKeys,
  callSignature: string,
  digest: string,
  signature: string,
): boolean {
  return matches(keys, replyText(callSignature, digest), signature);
}

function callText({ name, from, to, atMs, digest }: SignedCall): string {
  return JSON.stringify(["call", name, from, to, atMs, digest]);
}

function replyText(callSignature: string, digest: string): string {
  return JSON.stringify(["reply", callSignature, digest]);
}

function macOf(key: Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** A member has at most two keys, and sends as many signatures. */
const signaturesMax = 2;

function matches(keys: SigningKeys, text: string, signature: string): boolean {
  const given = signature.split(",", signaturesMax).map((each) => Buffer.from(each));
  return keys.some((key) => {
    const wanted = Buffer.from(macOf(key, text));
    return given.some((each) => each.length === wanted.length && timingSafeEqual(each, wanted));
  });
}
