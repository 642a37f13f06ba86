import { describe, expect, it } from "vitest";
import { initialText, textAfterInput, textAfterNavigation } from "./search-text.ts";

describe("the text of a search box", () => {
  it("starts with the text in the URL", () => {
    expect(initialText("pay").text).toBe("pay");
  });

  it("stays as typed while the URL catches up", () => {
    let state = initialText("");
    for (const text of ["p", "pa", "pay "]) state = textAfterInput(state, text);
    for (const urlText of ["", "p", "pa", "pay"]) {
      state = textAfterNavigation(state, urlText);
      expect([urlText, state.text]).toEqual([urlText, "pay "]);
    }
    expect(state.pending).toEqual([]);
  });

  it("stays as typed when the URL skips intermediate texts", () => {
    const state = textAfterNavigation(textAfterInput(textAfterInput(initialText(""), "p"), "pa"), "pa");
    expect(state).toEqual({ text: "pa", urlText: "pa", pending: [] });
  });

  it("is cleared or replaced when something else changes the URL", () => {
    const typed = textAfterNavigation(textAfterInput(initialText(""), "pay"), "pay");
    expect(textAfterNavigation(typed, "").text).toBe("");
    expect(textAfterNavigation(typed, "region:eu").text).toBe("region:eu");
    expect(textAfterNavigation(initialText("pay"), "").text).toBe("");
  });

  it("is the same state while the URL does not change", () => {
    const state = textAfterInput(initialText("a"), "ab");
    expect(textAfterNavigation(state, "a")).toBe(state);
  });
});
