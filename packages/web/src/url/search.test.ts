import { describe, expect, it } from "vitest";
import { anything, oneOf, searchReader, several, text, textLike, texts, wholeNumber } from "./search.ts";

const read = searchReader({
  q: text({ min: 1, max: 5 }),
  after: textLike(/^[a-z]+$/),
  size: oneOf(5, 10),
  page: wholeNumber(2),
  tags: texts({ min: 1, max: 4 }, { max: 6 }),
  zoom: anything,
});

describe("search parameters", () => {
  it("keep what is well formed", () => {
    const search = { q: "cpu", after: "abc", size: 10, page: 3, tags: { zone: "eu" }, zoom: [1, 2] };
    expect(read(search)).toEqual(search);
  });

  it("ignore what is malformed, and what the page does not know", () => {
    const search = { q: "", after: "A", size: 7, page: 1, tags: ["eu"], zoom: null, other: 1 };
    expect(read(search)).toEqual({});
    expect(read({ q: "longer", after: 3, size: "5", page: 2.5, tags: { zone: 3 } })).toEqual({});
    expect(read({ q: 5, page: "3", tags: { "": "eu" } })).toEqual({});
    expect(read({ tags: { zone: "longest" } })).toEqual({});
  });

  it("may be given several times", () => {
    const readServices = searchReader({ service: several(text({ min: 1, max: 5 }), 2) });
    expect(readServices({ service: "cart" })).toEqual({ service: ["cart"] });
    expect(readServices({ service: ["cart", 7, "", "cart", "api", "web"] })).toEqual({
      service: ["cart", "api"],
    });
    expect(readServices({ service: ["longer"] })).toEqual({ service: undefined });
  });

  it("name malformed parameters, so that links replace them", () => {
    expect(Object.keys(read({ q: 5 }))).toEqual(["q"]);
    expect(Object.keys(read({}))).toEqual([]);
  });

  it("do not read inherited names", () => {
    expect(searchReader({ constructor: anything })({})).toEqual({});
  });
});
