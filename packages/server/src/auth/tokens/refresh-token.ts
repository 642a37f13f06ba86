import { createHmac, randomBytes } from "node:crypto";
import { sha256Hex } from "./opaque-token.ts";

/** `fr_` + 32 hexadecimal characters (the id for the look-up) + 43 characters of secret (256 bits). */
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
 * The one successor of a token. It is derived rather than random, so that a second tab that presents the parent within
 * the grace period gets the same child, although only hashes are stored. Deriving it needs the server's key.
 */
export function nextRefreshToken(key: Uint8Array, parent: RefreshToken): RefreshToken {
  return fromBytes(createHmac("sha512", key).update(parent.text).digest().subarray(0, 48));
}

/** Undefined for a text that does not have the form of a refresh token. */
export function parseRefreshToken(text: string): RefreshToken | undefined {
  const match = pattern.exec(text);
  return match === null ? undefined : { id: match[1] as string, text, hash: sha256Hex(text) };
}

function fromBytes(bytes: Buffer): RefreshToken {
  const id = bytes.subarray(0, 16).toString("hex");
  const text = `fr_${id}${bytes.subarray(16).toString("base64url")}`;
  return { id, text, hash: sha256Hex(text) };
}
