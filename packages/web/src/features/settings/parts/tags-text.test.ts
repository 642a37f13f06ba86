import { expect, it } from "vitest";
import { tagChoices, tagsOf } from "./tags-text.ts";

it.each([
  ["", {}],
  ["env:staging, url: http://a:1 ,", { env: "staging", url: "http://a:1" }],
  ["env", undefined],
  [":staging", undefined],
  ["env:", undefined],
])("reads the tags %s", (text, tags) => {
  expect(tagsOf(text)).toEqual(tags);
});

const tags = [
  { name: "env", values: [{ value: "staging" }, { value: "production" }] },
  { name: "region", values: [{ value: "eu" }] },
];

it.each([
  ["", ["env:staging", "env:production", "region:eu"]],
  ["en", ["env:staging", "env:production", "region:eu"]],
  ["env:staging , re", ["env:staging, region:eu"]],
  ["env:staging, region:eu,", []],
])("completes the last tag of %j", (text, choices) => {
  expect(tagChoices(text, tags)).toEqual(choices);
});
