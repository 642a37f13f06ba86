import { expect, it } from "vitest";
import {
  base32,
  generateRecoveryCodes,
  generateTotpSecret,
  recoveryCodeHash,
  stepOfCode,
  totpCode,
  totpStep,
  totpUri,
} from "./totp.ts";

/** The secret of RFC 6238, appendix B, for SHA-1. */
const secret = Buffer.from("12345678901234567890");

it.each([
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
])("the code of second %d is that of RFC 6238, appendix B", (second, code) => {
  const step = totpStep(new Date(second * 1000));
  expect(totpCode(secret, step, 8)).toBe(code);
  expect(totpCode(secret, step)).toBe(code.slice(2));
});

it("accepts the code of the half minute before and after, and no other", () => {
  const now = new Date(1_111_111_109_000);
  const step = totpStep(now);
  const accepted = [-3, -2, -1, 0, 1, 2, 3].map((distance) =>
    stepOfCode(secret, totpCode(secret, step + distance), { now, lastStep: 0 }),
  );
  expect(accepted).toEqual([undefined, undefined, step - 1, step, step + 1, undefined, undefined]);
});

it("refuses the code that was accepted last, and earlier ones", () => {
  const now = new Date(1_111_111_109_000);
  const step = totpStep(now);
  const tries = [step - 1, step, step + 1].map((of) =>
    stepOfCode(secret, totpCode(secret, of), { now, lastStep: step }),
  );
  expect(tries).toEqual([undefined, undefined, step + 1]);
});

it.each(["", "00000", "0000000", "abcdef", "081804 ", "０８１８０４"])("refuses %j", (code) => {
  expect(stepOfCode(secret, code, { now: new Date(1_111_111_109_000), lastStep: 0 })).toBeUndefined();
});

it.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("base32 of %j is that of RFC 4648 without padding", (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

it("a secret has 160 bits, and its link names the account and the product", () => {
  const own = generateTotpSecret();
  expect(base32(own)).toMatch(/^[A-Z2-7]{32}$/);
  expect(base32(own)).not.toBe(base32(generateTotpSecret()));
  const uri = new URL(totpUri(own, "ada+x&y@example.com"));
  expect(decodeURIComponent(uri.pathname)).toContain("Flamekeep:ada+x&y@example.com");
  expect(Object.fromEntries(uri.searchParams)).toEqual({ secret: base32(own), issuer: "Flamekeep" });
});

it("a set has ten different codes of 120 bits", () => {
  const codes = generateRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{6}(-[A-Z2-7]{6}){3}$/);
});

it("a code is found however it is typed, and nothing else is", () => {
  const code = "ABCDEF-GHIJKL-MNOPQR-STUVWX";
  const hash = recoveryCodeHash(code);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  for (const typed of ["abcdefghijklmnopqrstuvwx", " ABCDEF GHIJKL MNOPQR STUVWX\n"]) {
    expect(recoveryCodeHash(typed)).toBe(hash);
  }
  for (const typed of ["", "123456", `${code}A`, code.slice(1), "ABCDEF-GHIJKL-MNOPQR-STUVW1"]) {
    expect(recoveryCodeHash(typed)).toBeUndefined();
  }
});
