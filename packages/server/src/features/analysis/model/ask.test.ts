import { expect, test } from "vitest";
import { withoutLinks } from "#analysis/analysers/untrusted-text.ts";
import { PlainStream } from "./ask.ts";

const inParts = (text: string, lengthMax = 20_000) => {
  const stream = new PlainStream(lengthMax);
  const parts = text.match(/[\s\S]{1,8}/gu) ?? [];
  return parts.map((part) => stream.add(part)).join("") + stream.end();
};

test("links of any form are removed, also from a text that arrives in parts", () => {
  const forms = [
    "https://evil.example/p",
    "https:evil.example",
    "HTTP:evil.example",
    "javascript:alert(1",
    "mailto:a@evil.example",
    "//evil.example",
    "www.evil.example",
    "![x](https://evil.example)",
  ];
  for (const form of forms) {
    expect(withoutLinks(`see ${form} now`), form).not.toMatch(/evil|alert/);
    expect(inParts(`see ${form} now`), form).toMatch(/^see .*\(link removed\) now$/);
  }
});

test("code and names with a colon are not links", () => {
  for (const text of [
    "case x := <-c: return",
    "map[string]int{a:1}",
    "std::vec::Vec",
    "share: 40%",
    "f(a[i])",
  ])
    expect(withoutLinks(text)).toBe(text);
});

test("a word without end is cut, and the length of an answer has a limit", () => {
  expect(inParts("[".repeat(64_000))).toBe(`${"[".repeat(1000)}…`);
  expect(inParts(`${"a".repeat(1000)} b`)).toBe(`${"a".repeat(1000)} b`);
  expect(inParts("word ".repeat(10_000), 100)).toHaveLength(100);
});
