import { describe, expect, it } from "vitest";
import { isReadableLine, isServiceName, readableLine } from "./readable.ts";

it.each(["Ada", "क्‍ष", "❤️", "", "a b", "\u0646\u200c\u0647"])("takes %j", (text) => {
  expect(isReadableLine(text)).toBe(true);
});

it.each([
  "\u3164",
  "\u2800",
  "\u180e",
  "\u034f",
  "\u115f",
  "\u200b",
  "A\u{e0041}",
  "\u200d",
  "\ufe0f\u200c",
  "\u202eabc",
  "a\nb",
])("does not take %j, which is hidden or looks like another name", (text) => {
  expect(isReadableLine(text)).toBe(false);
});

it("replaces what is hidden", () => {
  expect(readableLine("a\u0000b\u3164\u{e0041}c\ud800")).toBe("a\ufffdb\ufffd\ufffdc\ufffd");
});

describe("a service's name", () => {
  it.each(["checkout", " checkout ", "/srv/api", "team/shop:1.2", "_a", "größe", "9"])(
    "may be %j",
    (name) => {
      expect(isServiceName(name)).toBe(true);
    },
  );

  it.each(["", " ", "my service", "-a", ".a", "//a", "a{b=c}", 'say "hi"', "x".repeat(201)])(
    "may not be %j",
    (name) => {
      expect(isServiceName(name)).toBe(false);
    },
  );
});
