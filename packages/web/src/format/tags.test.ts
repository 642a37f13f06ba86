import { expect, it } from "vitest";
import { tagsOf, tagsText } from "./tags.ts";

it.each([
  ["", {}],
  ["env:staging, url: http://a:1 ,", { env: "staging", url: "http://a:1" }],
  ["region=eu, version = 1.2", { region: "eu", version: "1.2" }],
  ["env:staging, query=a=b", { env: "staging", query: "a=b" }],
  ["env", undefined],
  [":staging", undefined],
  ["=staging", undefined],
  ["env:", undefined],
  ['region:"b, c:d", "x:y"=z', { region: "b, c:d", "x:y": "z" }],
  ['a:"b', undefined],
  ['a:"\\x"', undefined],
  ['a:"b" c', undefined],
  ["a b:c", undefined],
])("reads the tags %s", (text, tags) => {
  expect(tagsOf(text)).toEqual(tags);
});

it.each([
  { region: "b, c:d" },
  { region: 'a "quoted" name', env: "x" },
  { "a:b": "c", "d e": " f ", g: "back\\slash", h: '"', i: ",", j: "two\nlines", k: "a  b" },
])("the text of %o has the same tags", (tags) => {
  expect(tagsOf(tagsText(tags))).toEqual(tags);
});
