import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SigningKeys } from "#auth/tokens/access-token.ts";

/** Clocks of members may differ by this much. */
export const clockMsMax = 60_000;

/** All that the signature of a call covers. */
export interface SignedCall {
  readonly name: string;
  /** Ids of members. */
  readonly from: string;
  readonly to: string;
  /** The organization whose uploads it has; empty if it has none. */
  readonly orgId: string;
  readonly atMs: number;
  /** Differs from that of every other call. */
  readonly nonce: string;
  /** The length of the body. */
  readonly length: number;
  /** See `digestOf`. */
  readonly digest: string;
}

export function digestOf(...parts: readonly Uint8Array[]): string {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part);
  return digest.digest("base64url");
}

const stepBytes = 1024 * 1024;

/** As `digestOf`. Other work goes on between the steps. */
export async function digestInSteps(...parts: readonly Uint8Array[]): Promise<string> {
  const digest = createHash("sha256");
  for (const part of parts)
    for (let start = 0; start < part.length; start += stepBytes) {
      if (start > 0) await nextTurn();
      digest.update(part.subarray(start, start + stepBytes));
    }
  return digest.digest("base64url");
}

/** Signed by each key, so that members accept each other while `AUTH_SECRET` is changed on one after the other. */
export function signedHeaders(keys: SigningKeys, call: SignedCall) {
  return {
    "content-length": String(call.length),
    "x-flamekeep-from": call.from,
    "x-flamekeep-org": call.orgId,
    "x-flamekeep-time": String(call.atMs),
    "x-flamekeep-nonce": call.nonce,
    "x-flamekeep-digest": call.digest,
    "x-flamekeep-signature": keys.map((key) => macOf(key, callText(call))).join(","),
  };
}

/** @returns the call of these headers, unless no member has signed it */
export function signedCall(
  keys: SigningKeys,
  headers: IncomingHttpHeaders,
  { name, to }: Pick<SignedCall, "name" | "to">,
): (SignedCall & { readonly signature: string }) | undefined {
  const header = (key: string) => String(headers[`x-flamekeep-${key}`] ?? "");
  const length = Number(headers["content-length"]);
  const sender = { from: header("from"), orgId: header("org"), atMs: Number(header("time")) };
  const call = { ...sender, name, to, length, nonce: header("nonce"), digest: header("digest") };
  const signature = header("signature");
  return matches(keys, callText(call), signature) ? { ...call, signature } : undefined;
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

function callText({ name, from, to, orgId, atMs, nonce, length, digest }: SignedCall): string {
  return JSON.stringify(["call", name, from, to, orgId, atMs, nonce, length, digest]);
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

/** For each minute: more calls than the members of an installation send. */
const seenMaxDefault = 300_000;

/** The calls that came, so that one that was recorded on the network is refused. Calls of an earlier time are refused anyway. */
export class SeenCalls {
  readonly #max: number;
  readonly #byMinute = new Map<number, Set<string>>();

  constructor(max = seenMaxDefault) {
    this.#max = max;
  }

  /** Notes the call. `full` if there is no room to note it. */
  note({ nonce, atMs }: Pick<SignedCall, "nonce" | "atMs">, nowMs: number): "first" | "repeated" | "full" {
    for (const minute of this.#byMinute.keys())
      if ((minute + 2) * clockMsMax < nowMs) this.#byMinute.delete(minute);
    const minute = Math.floor(atMs / clockMsMax);
    const seen = this.#byMinute.get(minute) ?? new Set();
    this.#byMinute.set(minute, seen);
    if (seen.has(nonce)) return "repeated";
    if (seen.size >= this.#max) return "full";
    seen.add(nonce);
    return "first";
  }
}
