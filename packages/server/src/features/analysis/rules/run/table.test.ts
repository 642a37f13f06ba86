import { expect, it } from "vitest";
import { languagesWithRules } from "#rules/language.ts";
import { rules, rulesOf } from "./table.ts";

it("rules have distinct ids and names, and yield to rules that exist", () => {
  const ids = rules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const language of languagesWithRules) {
    const names = rulesOf(language).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  }
  for (const { id, yieldsTo = [] } of rules) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(yieldsTo).not.toContain(id);
    for (const other of yieldsTo) expect(ids).toContain(other);
  }
});
