import { randomBytes } from "node:crypto";
import { sha256Hex } from "./sha256.ts";

/** The secret in a link (mail, invitation, public link) or of a sign-in that waits: 43 characters, 256 random bits. Only its SHA-256 is stored. */
export interface OpaqueToken {
  readonly text: string;
  readonly hash: string;
}

const pattern = /^[\w-]{43}$/;

export function createOpaqueToken(): OpaqueToken {
  const text = randomBytes(32).toString("base64url");
  return { text, hash: sha256Hex(text) };
}

/** The hash that finds the token; undefined for a text that does not have its form. */
export function opaqueTokenHash(text: string): string | undefined {
  return pattern.test(text) ? sha256Hex(text) : undefined;
}
