import { describe, expect, it } from "vitest";
import { dayOf, startSecondsOf } from "./profile-id.ts";

describe("a profile id", () => {
  it("contains the second and the day in which its profile started", () => {
    const id = `3f9a1c07be52d8e4460b7c91${(1_763_632_800).toString(16)}`;
    expect(startSecondsOf(id)).toBe(1_763_632_800);
    expect(dayOf(id)).toBe("2025-11-20");
  });

  it.each(["", "x".repeat(32), "3F9A1C07BE52D8E4460B7C91691E9F40", "'; DROP TABLE profiles", "3f9a"])(
    "is refused when it reads %j",
    (text) => {
      expect(dayOf(text)).toBeNull();
    },
  );
});
