import { z } from "zod";
import { limits } from "#base/limits.ts";

/** A text whose absence is reported with this message. */
export function required(message: string) {
  return z.string({ error: message });
}

/** Reports only the first broken rule, in the order of the specification. */
export function inOrder<T>(rules: readonly (readonly [(value: T) => boolean, string])[]) {
  return (context: { value: T; issues: unknown[] }): void => {
    const broken = rules.find(([holds]) => !holds(context.value));
    if (broken === undefined) return;
    context.issues.push({ code: "custom", message: broken[1], input: context.value, path: [] });
  };
}

export const tooShort = `Password must be at least ${limits.passwordLengthMin} characters long`;

export const tooLong = `Password must be at most ${limits.passwordLengthMax} characters long`;

export function isLongEnough(password: string): boolean {
  return password.length >= limits.passwordLengthMin;
}

/** Required of passwords that are only checked, too: no request makes the server hash more. */
export function isShortEnough(password: string): boolean {
  return password.length <= limits.passwordLengthMax;
}
