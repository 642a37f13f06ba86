import { createHash, randomBytes } from "node:crypto";

/** The secret in a link (mail, invitation, public link) or of a sign-in that waits: 43 characters, 256 random bits. Only its SHA-256 is stored. */
interface OpaqueToken {
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

/** For texts with enough random bits that nobody can try them all: a keyed or slow hash would add nothing. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
