import { describe, expect, it } from "vitest";
import { fromCursor, toCursor } from "./cursor.ts";

describe("a page's cursor", () => {
  it("decodes to the position that it encodes", () => {
    const end = { startedAtMs: 1_763_632_800_123, profileId: "3f9a1c07be52d8e4460b7c91691e9f40" };
    expect(fromCursor(toCursor(end), false)).toEqual(end);
    expect(fromCursor(toCursor({ ...end, rank: -5 }), true)).toEqual({ ...end, rank: -5 });
  });

  it("is refused in another order", () => {
    const end = { startedAtMs: 1_763_632_800_123, profileId: "3f9a1c07be52d8e4460b7c91691e9f40" };
    expect(() => fromCursor(toCursor(end), true)).toThrow("in the same order");
    expect(() => fromCursor(toCursor({ ...end, rank: 1 }), false)).toThrow("in the same order");
  });

  it.each(["", "abc", "MTIz", "' OR 1=1", toCursor({ startedAtMs: 1, profileId: "short" })])(
    "is refused when it reads %j",
    (text) => {
      expect(() => fromCursor(text, false)).toThrow("next_cursor");
    },
  );
});
