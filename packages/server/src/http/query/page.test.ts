import { expect, it } from "vitest";
import { noSize, type Place, pageOf, searchOf } from "./page.ts";

const places: Place[] = [
  { size: 1, name: "b" },
  { size: noSize, name: "unknown" },
  { size: 3, name: "c" },
  { size: 1, name: "a" },
  { size: 0.1 + 0.2, name: "d" },
];
const placeOf = (place: Place) => place;

it("has the largest first, equal ones by name, and those without a size last, page by page", () => {
  const names: string[][] = [];
  let cursor: string | undefined;
  do {
    const { page, next } = pageOf(places, placeOf, { cursor, limit: 2 });
    names.push(page.map(({ name }) => name));
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  expect(names).toEqual([["c", "a"], ["b", "d"], ["unknown"]]);
});

it("orders names without regard to case, page by page", () => {
  const named = ["Zeta", "alpha", "_a", "Beta", "Alpha", "Écrou", "écran", "beta2"].map((name) => ({
    size: 0,
    name,
  }));
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { page, next } = pageOf(named, placeOf, { cursor, limit: 1 });
    names.push(...page.map(({ name }) => name));
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  expect(names).toEqual(["_a", "Alpha", "alpha", "Beta", "beta2", "Zeta", "écran", "Écrou"]);
});

it("continues after the place of an item that is gone", () => {
  const { next } = pageOf(places, placeOf, { limit: 2 });
  const others = places.filter(({ name }) => name !== "a");
  expect(pageOf(others, placeOf, { cursor: next!, limit: 9 }).page.map(({ name }) => name)).toEqual([
    "b",
    "d",
    "unknown",
  ]);
});

it.each([
  "",
  "nonsense",
  Buffer.from('["a","b"]').toString("base64url"),
  Buffer.from("[1]").toString("base64url"),
])("refuses %j, which is no cursor", (cursor) => {
  expect(() => pageOf(places, placeOf, { cursor, limit: 1 })).toThrow("next_cursor of an earlier page");
});

it("finds words in any case, with and without accents", () => {
  const found = (text: string) =>
    ["Café-api", "cafe", "CAFÉTERIA", "other"].filter((name) => searchOf(text).isIn(name));
  expect(found("cafe")).toEqual(["Café-api", "cafe", "CAFÉTERIA"]);
  expect(found("API café")).toEqual(["Café-api"]);
  expect(["café", "CAFÉTERIA", "api"].map((name) => searchOf("Cafe").sizeOf(name))).toEqual([2, 1, 0]);
});
