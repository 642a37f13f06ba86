import { expect, it } from "vitest";
import { tagChoices } from "./tags-text.ts";

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
