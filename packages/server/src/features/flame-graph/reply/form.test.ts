import { expect, it } from "vitest";
import { comparisonFormOf, formOf } from "./form.ts";

const json = "application/json";
const levels = "application/vnd.flamekeep.flamegraph.levels.v1+json";
const columns = "application/vnd.flamekeep.flamegraph.v3";

it.each([
  [undefined, "json"],
  ["*/*", "json"],
  [columns, "columns"],
  [columns.toUpperCase(), "columns"],
  [`${columns}, ${json}`, "columns"],
  [`${json}, ${columns}`, "json"],
  [`*/*, ${columns}`, "columns"],
  [`${json};q=0.5 , ${columns};q=0.8`, "columns"],
  [`${json}, ${columns};q=0.8`, "json"],
  [`${columns}; q=0.000, */*;q=0.1`, "json"],
  [`${json};q=0, */*`, "columns"],
  [levels, "levels"],
  [`${columns};q=0.5, ${levels}`, "levels"],
  ["application/*", "json"],
  ["text/html", "json"],
  ["", "json"],
])("Accept: %s is answered as %s", (accept, form) => {
  expect(formOf(accept === undefined ? {} : { accept })).toBe(form);
});

it("never answers a comparison with rows of numbers", () => {
  const forms = [levels, columns, json].map((accept) => comparisonFormOf({ accept }, columns));
  expect(forms).toEqual(["json", "columns", "json"]);
});
