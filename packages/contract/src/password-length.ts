import { limits } from "./limits.ts";

export const tooShort = `Password must be at least ${limits.passwordLengthMin} characters long`;
export const tooLong = `Password must be at most ${limits.passwordLengthMax} characters long`;

export function isLongEnough(password: string): boolean {
  return password.length >= limits.passwordLengthMin;
}

/** Required of passwords that are only checked, too: no request makes the server hash more. */
export function isShortEnough(password: string): boolean {
  return password.length <= limits.passwordLengthMax;
}
