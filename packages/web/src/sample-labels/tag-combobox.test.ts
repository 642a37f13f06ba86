import { expect, it } from "vitest";
import { isSameOption, matchingOptions, optionsOf, tagsOf, typedOption } from "./tag-combobox.tsx";

const tags = [
  {
    name: "region",
    profiles: 3,
    values: [
      { value: "eu", profiles: 2 },
      { value: "us", profiles: 1 },
    ],
    values_total: 2,
  },
  { name: "version", profiles: 2, values: [{ value: "eu-1", profiles: 2 }], values_total: 1 },
];

it.each([
  ["", ["eu", "us", "eu-1"]],
  [" EU ", ["eu", "eu-1"]],
  ["region", ["eu", "us"]],
  ["region: u", ["us"]],
  ["nothing", []],
])("finds options that contain %j", (text, values) => {
  expect(matchingOptions(tags, text).map(({ value }) => value)).toEqual(values);
});

it("replaces the value of a tag that is chosen again", () => {
  const chosen = optionsOf({ region: "eu", version: "1" });
  expect(tagsOf([...chosen, { name: "region", value: "us" }])).toEqual({ region: "us", version: "1" });
  expect(isSameOption(chosen[0]!, { name: "region", value: "eu", profiles: 9 })).toBe(true);
});

it.each([
  ["version: 2.0", { name: "version", value: "2.0" }],
  [" url:http://a:1 ", { name: "url", value: "http://a:1" }],
  ["version:", undefined],
  [":2", undefined],
  ["version", undefined],
])("takes %j as a tag that the range may not have", (text, option) => {
  expect(typedOption(text)).toEqual(option);
});
