import { expect, it } from "vitest";
import { tagQuery } from "./series-query.ts";

it("names tags in the query as they are", () => {
  expect(tagQuery({ region: "eu", "a:b": "x=y" })).toEqual({ "tag.region": "eu", "tag.a:b": "x=y" });
});
