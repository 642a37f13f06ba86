import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { sha256Hex } from "#auth/tokens/opaque-token.ts";

/**
 * Codes of authenticator apps (RFC 6238): six digits of an HMAC-SHA-1 over the number of half minutes since 1970. These
 * are the only parameters that every app supports.
 */
const stepMs = 30_000;
const defaultDigits = 6;
/** Clocks of phones differ, and people take time to type: one step before and after the current one. */
const driftSteps = 1;
/** RFC 4226 recommends 160 bits. */
const secretBytes = 20;

const base32Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function generateTotpSecret(): Uint8Array {
  return randomBytes(secretBytes);
}

/** The number of the half minute of this time. */
export function totpStep(at: Date): number {
  return Math.floor(at.getTime() / stepMs);
}

export function totpCode(secret: Uint8Array, step: number, digits = defaultDigits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) as number) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

interface CodeUse {
  readonly now: Date;
  /** The step of the code that was accepted last: it and those before it are not accepted again. */
  readonly lastStep: number;
}

/** The step that the code belongs to; undefined for a wrong code, and for one that was used or is too old or too new. */
export function stepOfCode(secret: Uint8Array, code: string, { now, lastStep }: CodeUse): number | undefined {
  const current = totpStep(now);
  let found: number | undefined;
  for (let step = current - driftSteps; step <= current + driftSteps; step++) {
    if (step > lastStep && isSameText(totpCode(secret, step), code)) found ??= step;
  }
  return found;
}

/** RFC 4648, without padding, as authenticator apps read it. */
export function base32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += base32Alphabet[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + base32Alphabet[(value << (5 - bits)) & 31];
}

/** The content of the QR code (the "Key Uri Format" of Google Authenticator, which all apps read). */
export function totpUri(secret: Uint8Array, email: string): string {
  const label = `Flamekeep:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=Flamekeep`;
}

function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Codes of a set. */
const setSize = 10;
/** 120 bits, 24 characters: enough for a plain hash (OWASP ASVS 6.5.2 asks for at least 112). */
const codeBytes = 15;
const form = /^[A-Z2-7]{24}$/;

/** `ABCDEF-GHIJKL-MNOPQR-STUVWX`, for people who lost their phone or key. Each code works once. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: setSize }, () => base32(randomBytes(codeBytes)).match(/.{6}/g)!.join("-"));
}

/** The hash that finds the code, as it was shown or typed; undefined for a text that does not have its form. */
export function recoveryCodeHash(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, "").toUpperCase();
  return form.test(code) ? sha256Hex(code) : undefined;
}
