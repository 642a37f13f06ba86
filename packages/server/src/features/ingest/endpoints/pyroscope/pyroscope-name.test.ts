import { expect, test } from "vitest";
import { parsePyroscopeName } from "./pyroscope-name.ts";

function parsed(text: string): unknown {
  const read = parsePyroscopeName(text);
  return read.ok ? [read.value.app, ...read.value.labels] : read.refusal.code;
}

test.each([
  ["app", ["app"]],
  ["app{}", ["app"]],
  [" app { a = b , c=d } ", ["app", ["a", "b"], ["c", "d"]]],
  ["app{a=}", ["app", ["a", ""]]],
  ["app{a=b=c}", ["app", ["a", "b=c"]]],
  ["app{a=1,a=2}", ["app", ["a", "2"]]],
  ["app{__proto__=x,constructor=y}", ["app", ["__proto__", "x"], ["constructor", "y"]]],
  ["app{a={b}", ["app", ["a", "{b"]]],
])("reads %s", (text, expected) => {
  expect(parsed(text)).toEqual(expected);
});

test.each(["", "{}", "{a=b}", "app{", "app{a=b", "app{a}", "app{=b}", "app{a=b}x", "a}b", "app{__name__=x}"])(
  "refuses %s",
  (text) => {
    expect(parsed(text)).toBe("invalid");
  },
);

test("stays linear on a long hostile name", () => {
  expect(parsed(`app{${"=".repeat(20_000)}`)).toBe("invalid");
  expect(parsed(`app{${"a=b,".repeat(4000)}}`)).toEqual(["app", ["a", "b"]]);
});
