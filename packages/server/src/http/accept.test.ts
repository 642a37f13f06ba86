import { expect, it } from "vitest";
import { preferredType } from "./accept.ts";

const json = "application/json";
const columns = "application/vnd.flamekeep.flamegraph.v1";

it.each([
  [undefined, json],
  ["*/*", json],
  ["application/*", json],
  [columns, columns],
  [columns.toUpperCase(), columns],
  [`${columns}, ${json}`, columns],
  [`${json}, ${columns}`, json],
  [`*/*, ${columns}`, columns],
  [`${json};q=0.5 , ${columns};q=0.8`, columns],
  [`${json}, ${columns};q=0.8`, json],
  [`${columns};q=0`, undefined],
  [`${columns}; Q=0.000, */*;q=0.1`, json],
  [`${json};q=0, */*`, columns],
  [`application/*;q=0, */*`, undefined],
  [`${columns};charset=utf-8;q=0.9, text/html`, columns],
  [`${columns};q=much`, columns],
  ["text/html", undefined],
  ["", undefined],
])("Accept: %s prefers %s", (accept, type) => {
  expect(preferredType(accept, [json, columns])).toBe(type);
});
