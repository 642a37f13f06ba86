import { expect, test } from "vitest";
import { findWordings, word } from "./wording.ts";

test("a word is found in prose and in names, with its line and the word to use instead", () => {
  const searched = [{ pattern: word("gadget", "Gadget"), use: "device" }];
  const text = ["const limit = 1;", "function openGadget() {}", "// The gadget is open.", "gadgetry"];
  expect(findWordings(text.join("\n"), searched)).toMatchObject([
    { line: 2, use: "device" },
    { line: 3, use: "device" },
  ]);
});

test("a comment must not begin with a relative clause; a question may", () => {
  expect(findWordings("/** What the server stores. */")).toHaveLength(1);
  expect(findWordings("// Why does it fail? What helps? See below.")).toEqual([]);
  expect(findWordings("  // Of the two values, the second is newer.")).toHaveLength(1);
});

test("ordinary words that contain a discouraged one are left alone", () => {
  expect(findWordings("indoor temperature, general outdoors, literal, operation, besides")).toEqual([]);
  expect(findWordings("the frame stands out; Unix epoch; tells the two apart; of its own day")).toEqual([]);
});

test("texts for users name the noun; comments and titles of tests may refer to it", () => {
  const texts = [
    '"Lists those that were sent"',
    "`Begins at a time to come`",
    "<p>Nothing is learnt yet</p>",
  ];
  expect(findWordings(texts.join("\n"))).toHaveLength(3);
  expect(findWordings('it("lists those that were sent", () => {}); // Those that are new.')).toEqual([]);
  expect(findWordings("The alert closes when it is over. It goes on counting for ever.")).toHaveLength(1);
});
