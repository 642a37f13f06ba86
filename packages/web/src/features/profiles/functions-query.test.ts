import { expect, it } from "vitest";
import { functionsQuery, type Listing } from "./functions-query.ts";

const queryOf = (part: Partial<Listing>, from = "1h") =>
  functionsQuery({ q: "", scope: "libraries", type: "cpu", ...part }, { from, to: "now" });

it("keeps functions of another range or text while functions load, but not of another type or scope", () => {
  const keep = queryOf({}).placeholderData as (data: unknown, previous: unknown) => unknown;
  const kept = [
    queryOf({ q: "json" }),
    queryOf({}, "7d"),
    queryOf({ type: "memory" }),
    queryOf({ scope: "all" }),
  ];
  expect(kept.map((previous) => keep("functions", previous))).toEqual([
    "functions",
    "functions",
    undefined,
    undefined,
  ]);
});
