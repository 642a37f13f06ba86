import { describe, expect, it } from "vitest";
import { isServiceName } from "./service-name.ts";

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
