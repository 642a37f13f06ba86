import { expect, it } from "vitest";
import { queryOfSelection, selectionOf, selectionText } from "./search.ts";

const text = "2026-11-20T10:00:00Z/2026-11-20T11:00:00Z";

it("reads the selection of a link back", () => {
  const span = selectionOf(text);
  expect(span).toEqual({ fromMs: Date.UTC(2026, 10, 20, 10), toMs: Date.UTC(2026, 10, 20, 11) });
  expect(selectionText(span!)).toBe(text);
  expect(queryOfSelection(span!)).toEqual({ from: "2026-11-20T10:00:00Z", to: "2026-11-20T11:00:00Z" });
});

it.each([undefined, "", "a/b", "2026-11-20", "2026-11-20T11:00:00Z/2026-11-20T10:00:00Z", `${text}/${text}`])(
  "ignores %j",
  (garbled) => expect(selectionOf(garbled)).toBeUndefined(),
);
