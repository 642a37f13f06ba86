import { expect, it } from "vitest";
import { isForPeople } from "./open-log.ts";

it.each([
  ["auto", true, true],
  ["auto", false, false],
  ["json", true, false],
  ["pretty", false, true],
] as const)("with LOG_FORMAT=%s and a terminal: %s, lines for people: %s", (format, isTerminal, expected) => {
  expect(isForPeople(format, isTerminal)).toBe(expected);
});
