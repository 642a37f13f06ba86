import { expect, it } from "vitest";
import { costText } from "./cost-text.ts";

it("has the digits of the currency, and does not show small amounts as nothing", () => {
  const texts = [0, 12.345, 0.00123, 123_456].map((amount) => costText(amount, "EUR"));
  expect(texts).toEqual(["€0.00", "€12.35", "less than €0.01", "€123,456.00"]);
  expect([5, 0.4].map((amount) => costText(amount, "JPY"))).toEqual(["¥5", "less than ¥1"]);
  expect(costText(5, "XZZ")).toContain("5.00");
});
