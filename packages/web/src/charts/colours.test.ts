import { expect, it } from "vitest";
import { withOpacity } from "./colours.ts";

it.each([
  ["oklch(0.52 0.165 41)", "oklch(0.52 0.165 41 / 0.1)"],
  ["lab(42% 40 44)", "lab(42% 40 44 / 0.1)"],
  ["#b2430d", "#b2430d1a"],
])("gives %s an opacity without a canvas", (colour, translucent) => {
  expect(withOpacity(colour, 0.1)).toBe(translucent);
});
