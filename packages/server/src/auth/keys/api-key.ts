import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { KeyFormat } from "@flamekeep/contract";

/**
 * An API key is `fk_` + 12 characters of public id + 43 characters of secret (256 bits) + 6 characters of checksum, base62.
 * Secret scanners and the server recognise a key by prefix and checksum, without a look-up (the scheme that GitHub
 * describes for its tokens).
 *
 * Datadog's libraries send without an agent only if their key is 32 hexadecimal digits. Such a key is a secret of 128 bits, whose
 * public id is the start of its hash.
 */
interface ApiKeyParts {
  readonly publicId: string;
  readonly prefix: string;
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const hexPattern = /^[0-9a-f]{32}$/;
const keyPattern = /^fk_([0-9A-Za-z]{12})([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** Creates a key. Show the text once and never store it; store the hash. */
export function generateApiKey(format: KeyFormat = "flamekeep"): ApiKeyParts & {
  readonly key: string;
  readonly hash: string;
} {
  if (format === "datadog") {
    const key = randomBytes(16).toString("hex");
    return { key, ...hexKeyParts(key), hash: hashApiKey(key) };
  }
  const publicId = randomText(12);
  const start = `fk_${publicId}`;
  const body = `${start}${randomText(43)}`;
  const key = `${body}${checksum(body)}`;
  return { key, publicId, prefix: start, hash: hashApiKey(key) };
}

/** The parts of a key, or undefined if the form or the checksum of the text is wrong. */
export function parseApiKey(text: string): ApiKeyParts | undefined {
  if (hexPattern.test(text)) return hexKeyParts(text);
  const match = keyPattern.exec(text);
  if (match === null || checksum(text.slice(0, -6)) !== match[3]) return undefined;
  const publicId = match[1] as string;
  return { publicId, prefix: `fk_${publicId}` };
}

/** The visible start leaves 112 bits of the secret. */
function hexKeyParts(key: string): ApiKeyParts {
  return { publicId: hashApiKey(key).slice(0, 12), prefix: key.slice(0, 4) };
}

/** 128 random bits and more need no slow hash (OWASP ASVS 6.5.2 asks for at least 112). */
export function hashApiKey(key: string): string {
  return hash("sha256", key, "hex");
}

export function isSameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, "hex");
  const right = Buffer.from(b, "hex");
  return left.length === right.length && timingSafeEqual(left, right);
}

function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    // 248 is the largest multiple of 62 below 256: larger bytes would favour the first characters.
    for (const byte of randomBytes(length))
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
  }
  return text;
}

function checksum(body: string): string {
  let remainder = crc32(body);
  let text = "";
  for (let i = 0; i < 6; i++) {
    text = alphabet[remainder % 62] + text;
    remainder = Math.floor(remainder / 62);
  }
  return text;
}
