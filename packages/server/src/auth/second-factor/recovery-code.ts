import { randomBytes } from "node:crypto";
import { sha256Hex } from "#auth/tokens/sha256.ts";
import { base32 } from "./totp.ts";

/** Codes of a set. */
const setSize = 10;
/** 120 bits, 24 characters: enough for a plain hash (OWASP ASVS 6.5.2 asks for at least 112). */
const codeBytes = 15;
const form = /^[A-Z2-7]{24}$/;

/** `ABCDEF-GHIJKL-MNOPQR-STUVWX`, for people who lost their phone or key. Each code works once. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: setSize }, () => {
    const text = base32(randomBytes(codeBytes));
    return [0, 6, 12, 18].map((at) => text.slice(at, at + 6)).join("-");
  });
}

/** The hash that finds the code, as it was shown or typed; undefined for a text that does not have its form. */
export function recoveryCodeHash(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, "").toUpperCase();
  return form.test(code) ? sha256Hex(code) : undefined;
}
