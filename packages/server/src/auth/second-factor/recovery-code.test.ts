import { expect, it } from "vitest";
import { generateRecoveryCodes, recoveryCodeHash } from "./recovery-code.ts";

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
