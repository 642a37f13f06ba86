import { describe, expect, it } from "vitest";
import { tagFilterOf } from "./tag-filter.ts";

describe("a tag filter", () => {
  it.each([
    [{ "tag.region": "eu", "tag.k8s.pod": "a" }, ["region", "k8s.pod"], ["eu", "a"]],
    [{ tags: "region:eu" }, ["region"], ["eu"]],
    [{ tags: ["region:eu", "url:http://x:80"] }, ["region", "url"], ["eu", "http://x:80"]],
    [{ tags: "region:" }, ["region"], [""]],
    [{ tags: undefined, limit: 5, "tag.": "x" }, [], []],
    [{ "tag.it's": "'; DROP TABLE profiles" }, ["it's"], ["'; DROP TABLE profiles"]],
  ])("reads %j", (query, tagNames, tagValues) => {
    expect(tagFilterOf(query)).toEqual({ tagNames, tagValues });
  });

  it.each([{ tags: "region" }, { tags: ":eu" }, { tags: Array.from({ length: 21 }, () => "a:b") }])(
    "is refused as %j",
    (query) => {
      expect(() => tagFilterOf(query)).toThrow("tags");
    },
  );
});
