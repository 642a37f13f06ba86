import { expect, it } from "vitest";
import { tagsOf } from "./tags.ts";

it.each([
  ["", {}],
  ["env:staging, url: http://a:1 ,", { env: "staging", url: "http://a:1" }],
  ["region=eu, version = 1.2", { region: "eu", version: "1.2" }],
  ["env:staging, query=a=b", { env: "staging", query: "a=b" }],
  ["env", undefined],
  [":staging", undefined],
  ["=staging", undefined],
  ["env:", undefined],
])("reads the tags %s", (text, tags) => {
  expect(tagsOf(text)).toEqual(tags);
});
