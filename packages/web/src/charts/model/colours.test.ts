import { readFileSync } from "node:fs";
import { displayTypes } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { ProfileTypeBadge, profileTypeFill } from "#ui/content/profile-type-badge.tsx";
import { typeColor, withOpacity } from "./colours.ts";

it.each([
  ["oklch(0.52 0.165 41)", "oklch(0.52 0.165 41 / 0.1)"],
  ["lab(42% 40 44)", "lab(42% 40 44 / 0.1)"],
  ["#b2430d", "#b2430d1a"],
])("gives %s an opacity without a canvas", (colour, translucent) => {
  expect(withOpacity(colour, 0.1)).toBe(translucent);
});

describe("the colour of a profile type", () => {
  const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const rules = textOf("../../tokens.css").split("[data-theme=");

  it.each(displayTypes)("is a token in light and dark, for charts and for badges: %s", (type) => {
    const token = typeColor(type);
    expect(rules).toHaveLength(2);
    for (const rule of rules) expect(rule).toContain(`  --${token}: oklch(`);
    expect(profileTypeFill(type)).toBe(`var(--${token})`);
    expect(ProfileTypeBadge({ type }).props.style).toEqual({ "--type-ink": `var(--${token})` });
  });

  it("distinguishes leaked goroutines from all goroutines", () => {
    expect(typeColor("goroutine_leak")).not.toBe(typeColor("goroutine"));
  });
});
