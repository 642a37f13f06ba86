import type { WhatChanged } from "@flamekeep/flame/compare";
import { plural, wholePercentText } from "#format/number.ts";

/** `3 functions explain 91% of the change`, or that no function does. */
export function headline({ functions, explanation: { count, share } }: WhatChanged): string {
  if (functions.length === 0) return "No function's self value changed";
  const changed = plural(functions.length, "function");
  if (count === 0) return `Spread over ${changed}: each is less than 5% of the change`;
  const percent = wholePercentText(share);
  if (share < 0.5) return `Spread over ${changed}: the largest ${count} are ${percent} of the change`;
  return `${plural(count, "function")} ${count === 1 ? "explains" : "explain"} ${percent} of the change`;
}

/** The functions of the headline, and at least some to look at. */
export function listedAtFirst({ explanation: { count } }: WhatChanged): number {
  return Math.max(3, count);
}

/** A change whose growth and decline are almost equally large: the total hides it. */
export function isCancelledOut({ functions, whole }: WhatChanged): boolean {
  const net = functions.reduce((sum, { change }) => sum + change, 0);
  return functions.length > 1 && Math.abs(net) < 0.05 * whole;
}
