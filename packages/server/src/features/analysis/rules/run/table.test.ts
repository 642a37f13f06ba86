import { expect, it } from "vitest";
import { rules } from "./table.ts";

it("rules have distinct ids and names, and yield to rules that exist", () => {
  const ids = rules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(rules.map(({ name }) => name)).size).toBe(ids.length);
  for (const { id, yieldsTo = [] } of rules) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(yieldsTo).not.toContain(id);
    for (const other of yieldsTo) expect(ids).toContain(other);
  }
});
