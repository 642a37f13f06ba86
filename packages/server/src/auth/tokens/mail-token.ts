import { createHash, randomBytes } from "node:crypto";

/** A token in a link that is sent by mail: 43 characters, 256 random bits. Only its SHA-256 is stored. */
export interface MailToken {
  readonly text: string;
  readonly hash: string;
}

const pattern = /^[\w-]{43}$/;

export function createMailToken(): MailToken {
  const text = randomBytes(32).toString("base64url");
  return { text, hash: hashOf(text) };
}

/** The hash that finds the token; undefined for a text that does not have its form. */
export function mailTokenHash(text: string): string | undefined {
  return pattern.test(text) ? hashOf(text) : undefined;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
