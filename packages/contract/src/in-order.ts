import { z } from "zod";

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
