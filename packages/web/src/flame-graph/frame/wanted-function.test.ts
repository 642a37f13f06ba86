import { defaultFlameView, toLinkParams, widestPlace } from "@flamekeep/flame";
import { expect, it } from "vitest";
import { searchState, viewOfFunction } from "./wanted-function.ts";

const linkOf = (view: Partial<typeof defaultFlameView>) =>
  toLinkParams(viewOfFunction({ ...defaultFlameView, ...view }, "shop.Render"));

it("shows the graph where only the table was, and keeps both", () => {
  expect(linkOf({ pane: "table" })).toEqual({ fn: "shop.Render", zoom: "@" });
  expect(linkOf({ pane: "both" })).toEqual({ fn: "shop.Render", zoom: "@", pane: "both" });
});

it("replaces zoom, focus, transforms and search, not the colours", () => {
  const view = { zoom: "0.1", focus: "0", transforms: "invert", search: "json", scheme: "cool" } as const;
  expect(linkOf(view)).toEqual({ fn: "shop.Render", zoom: "@", scheme: "cool" });
});

const whole = { zoom: "", selectedFunction: "" };
const askedFor = { zoom: widestPlace, selectedFunction: "shop.Render" };
const stateOf = (part: Partial<Parameters<typeof searchState>[1]>) =>
  searchState("shop.Render", { view: askedFor, before: whole, zoom: 0, isStale: false, ...part });

it("waits for a function until the graph on its way is there", () => {
  expect(stateOf({ view: whole })).toBe("awaited");
  expect(stateOf({ isStale: true })).toBe("awaited");
  expect(stateOf({ zoom: 7 })).toBe("found");
});

it("ends with a graph that does not have the function", () => {
  expect(stateOf({})).toBe("over");
});

it("ends when somebody chooses something else", () => {
  expect(stateOf({ view: { zoom: "0.1", selectedFunction: "" }, isStale: true })).toBe("over");
  expect(stateOf({ view: whole, before: askedFor, isStale: true })).toBe("over");
  expect(stateOf({ view: { ...askedFor, selectedFunction: "shop.Pay" }, isStale: true })).toBe("over");
});
