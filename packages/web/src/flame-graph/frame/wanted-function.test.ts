import { defaultFlameView, toLinkParams } from "@flamekeep/flame";
import { expect, it } from "vitest";
import { viewOfFunction } from "./wanted-function.ts";

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
