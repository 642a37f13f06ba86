import { describe, expect, it } from "vitest";
import { seenText, startText, typedText } from "./search-text.ts";

describe("the text of a search box", () => {
  it("begins with what the address keeps", () => {
    expect(startText("pay").text).toBe("pay");
  });

  it("stays as typed while the address follows, however far behind", () => {
    let state = startText("");
    for (const text of ["p", "pa", "pay "]) state = typedText(state, text);
    for (const kept of ["", "p", "pa", "pay"]) {
      state = seenText(state, kept);
      expect([kept, state.text]).toEqual([kept, "pay "]);
    }
    expect(state.written).toEqual([]);
  });

  it("stays as typed when the address skips what was overtaken", () => {
    const state = seenText(typedText(typedText(startText(""), "p"), "pa"), "pa");
    expect(state).toEqual({ text: "pa", kept: "pa", written: [] });
  });

  it("is cleared or replaced when something else changes the address", () => {
    const typed = seenText(typedText(startText(""), "pay"), "pay");
    expect(seenText(typed, "").text).toBe("");
    expect(seenText(typed, "region:eu").text).toBe("region:eu");
    expect(seenText(startText("pay"), "").text).toBe("");
  });

  it("is the same state while the address stays", () => {
    const state = typedText(startText("a"), "ab");
    expect(seenText(state, "a")).toBe(state);
  });
});
