import { createHash, randomBytes } from "node:crypto";

/** The secret in a link (mail, invitation, public link): 43 characters, 256 random bits. Only its SHA-256 is stored. */
export interface LinkToken {
  readonly text: string;
  readonly hash: string;
}

const pattern = /^[\w-]{43}$/;

export function createLinkToken(): LinkToken {
  const text = randomBytes(32).toString("base64url");
  return { text, hash: hashOf(text) };
}

/** The hash that finds the token; undefined for a text that does not have its form. */
export function linkTokenHash(text: string): string | undefined {
  return pattern.test(text) ? hashOf(text) : undefined;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
