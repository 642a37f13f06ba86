import { expect, it } from "vitest";
import { costText } from "./cost-text.ts";

it("has the digits of the currency, and more below a cent", () => {
  const texts = [0, 12.345, 0.00123, 123_456].map((amount) => costText(amount, "EUR"));
  expect(texts).toEqual(["€0.00", "€12.35", "€0.0012", "€123,456.00"]);
  expect(costText(5, "JPY")).toBe("¥5");
  expect(costText(5, "XZZ")).toContain("5.00");
});
