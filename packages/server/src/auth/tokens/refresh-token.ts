import { createHash, createHmac, randomBytes } from "node:crypto";

/** `fr_` + 32 hexadecimal characters that find it + 43 characters of secret (256 bits). */
export interface RefreshToken {
  readonly id: string;
  readonly text: string;
  readonly hash: string;
}

const pattern = /^fr_([0-9a-f]{32})[\w-]{43}$/;

/** The first token of a session. */
export function firstRefreshToken(): RefreshToken {
  return fromBytes(randomBytes(48));
}

/**
 * The one successor of a token. Derived, not drawn: a tab that presents the parent again within the grace gets the
 * very same child, although only hashes are stored. Without the server's key nobody can derive it.
 */
export function nextRefreshToken(key: Uint8Array, parent: RefreshToken): RefreshToken {
  return fromBytes(createHmac("sha512", key).update(parent.text).digest().subarray(0, 48));
}

/** Undefined for a text of another form. */
export function parseRefreshToken(text: string): RefreshToken | undefined {
  const match = pattern.exec(text);
  return match === null ? undefined : { id: match[1] as string, text, hash: hashOf(text) };
}

function fromBytes(bytes: Buffer): RefreshToken {
  const id = bytes.subarray(0, 16).toString("hex");
  const text = `fr_${id}${bytes.subarray(16).toString("base64url")}`;
  return { id, text, hash: hashOf(text) };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
