import { expect, test } from "vitest";
import { parseSelector } from "./selector.ts";

const matching = (text: string, values: readonly string[]) => {
  const [matcher] = parseSelector(text);
  return values.filter((value) => matcher!.matches(value));
};

test.each([
  ["", []],
  ["{}", []],
  ["  { } ", []],
  ['{service_name="shop"}', [["service_name", "shop"]]],
  [
    '{service_name="shop", region!="eu",}',
    [
      ["service_name", "shop"],
      ["region", undefined],
    ],
  ],
  [
    "{a='x',b=`y\\n`}",
    [
      ["a", "x"],
      ["b", "y\\n"],
    ],
  ],
  [
    'process_cpu:cpu:nanoseconds:cpu:nanoseconds{pod="a"}',
    [
      ["__name__", "process_cpu:cpu:nanoseconds:cpu:nanoseconds"],
      ["pod", "a"],
    ],
  ],
  ["memory", [["__name__", "memory"]]],
  ['{"k8s.pod name"="a"}', [["k8s.pod name", "a"]]],
  ['{"memory"}', [["__name__", "memory"]]],
  ['{process.runtime.version="go1"}', [["process.runtime.version", "go1"]]],
  ['{a="quote \\" slash \\\\ tab \\t \\u00e9 \\x41 \\101"}', [["a", 'quote " slash \\ tab \t é A A']]],
  ['{a=" spaces , and } braces {"}', [["a", " spaces , and } braces {"]]],
])("reads %s", (text, expected) => {
  expect(parseSelector(text as string).map(({ name, equals }) => [name, equals])).toEqual(expected);
});

test("operators select values; patterns match the whole value, line breaks included", () => {
  const values = ["", "eu", "eu-west", "us", "x\neu"];
  expect(matching('{r="eu"}', values)).toEqual(["eu"]);
  expect(matching('{r!="eu"}', values)).toEqual(["", "eu-west", "us", "x\neu"]);
  expect(matching('{r=~"eu"}', values)).toEqual(["eu"]);
  expect(matching('{r=~"eu.*"}', values)).toEqual(["eu", "eu-west"]);
  expect(matching('{r=~".*eu"}', values)).toEqual(["eu", "x\neu"]);
  expect(matching('{r=~"eu|us"}', values)).toEqual(["eu", "us"]);
  expect(matching('{r!~"eu.*|"}', values)).toEqual(["us", "x\neu"]);
  expect(matching('{r=~".+"}', values)).toEqual(["eu", "eu-west", "us", "x\neu"]);
});

test.each([
  "{",
  "}",
  "{a}",
  '{a="x"',
  '{a="x',
  "{a==}",
  '{a="x" b="y"}',
  '{="x"}',
  "{a=~x}",
  '{a="\\q"}',
  '{a="x"} z',
  "{,}",
  '{a<"x"}',
  '{a="\\U00110000"}',
  '{a="\\x0\\0"}',
  '{a="\\x00"}',
])("refuses %s with a sentence", (text) => {
  expect(() => parseSelector(text)).toThrow(/label selector/);
});

test("refuses patterns that are invalid, large, or cost too much, and long selectors", () => {
  for (const pattern of ["(", "[", "x)|(y", "x)|(?:y", "a{1000}{1000}", "(?i)eu", "\\\\1", "x".repeat(9000)])
    expect(() => parseSelector(`{a=~"${pattern}"}`)).toThrow(/pattern of a/);
  expect(() => parseSelector(`{a="${"x".repeat(10_000)}"}`)).toThrow(/10000 characters/);
  const many = Array.from({ length: 31 }, (_, at) => `a${at}="x"`).join(",");
  expect(() => parseSelector(`{${many}}`)).toThrow(/30 conditions/);
  const patterns = Array.from({ length: 9 }, (_, at) => `a${at}=~"x"`).join(",");
  expect(() => parseSelector(`{${patterns}}`)).toThrow(/8 patterns/);
});

/** Letters a and b: each place of an automaton is reached by other texts. */
function pseudoRandom(seed: number): string {
  let state = seed + 1;
  return Array.from({ length: 800 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 2 === 0 ? "a" : "b";
  }).join("");
}

test("a pattern that backtracking would never finish takes no time, or is refused", () => {
  const [matcher] = parseSelector('{a=~"(a+)+(a|a)*b"}');
  expect(matcher!.matches("a".repeat(1000))).toBe(false);
  // A value that comes again costs nothing.
  const [simple] = parseSelector('{a=~"a+"}');
  for (let at = 0; at < 20_000; at++) expect(simple!.matches("a".repeat(1000))).toBe(true);
  const [costly] = parseSelector('{a=~"[ab]*a[ab]{14}"}');
  const texts = Array.from({ length: 5000 }, (_, at) => pseudoRandom(at));
  expect(() => texts.map((text) => costly!.matches(text))).toThrow(/takes too long/);
});
