import { expect, it } from "vitest";
import { isNamed } from "./reply.ts";

it.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a" ,"c"', true],
  ["*", true],
  [" * ", true],
  [undefined, false],
  ["", false],
  ["a", false],
  ['"A"', false],
  ['"b", "a', false],
  ['"*"', false],
])("If-None-Match: %s names the tag: %s", (ifNoneMatch, named) => {
  expect(isNamed('"a"', ifNoneMatch)).toBe(named);
  expect(isNamed('W/"a"', ifNoneMatch)).toBe(named);
});
