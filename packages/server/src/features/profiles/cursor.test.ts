import { describe, expect, it } from "vitest";
import { fromCursor, toCursor } from "./cursor.ts";

describe("a page's cursor", () => {
  it("decodes to the position that it encodes", () => {
    const end = { startedAtMs: 1_763_632_800_123, profileId: "3f9a1c07be52d8e4460b7c91691e9f40" };
    expect(fromCursor(toCursor(end))).toEqual(end);
  });

  it.each(["", "abc", "MTIz", "' OR 1=1", toCursor({ startedAtMs: 1, profileId: "short" })])(
    "is refused when it reads %j",
    (text) => {
      expect(() => fromCursor(text)).toThrow("next_cursor");
    },
  );
});
