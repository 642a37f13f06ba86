import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameQuery, queryFor, queryForPackage } from "./name-query.ts";

const finds = (query: string, name: string) => nameQuery(query).matches(name);
const errorOf = (expression: string) => nameQuery(`/${expression}/`).error;

/** Expressions that mean the same here and in JavaScript. */
const { expression } = fc.letrec<{ expression: string; atom: string; repeated: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(
      "a",
      "b",
      "C",
      "é",
      "_",
      "\\.",
      ".",
      "[ab]",
      "[^a]",
      "[A-C_]",
      "[\\W]",
      "\\w",
      "\\W",
      "\\d",
    ),
    tie("expression").map((inside) => `(${inside})`),
    tie("expression").map((inside) => `(?:${inside})`),
  ),
  repeated: fc
    .tuple(tie("atom"), fc.constantFrom("", "", "", "*", "+", "?", "{0}", "{2}", "{1,2}", "{2,}", "*?"))
    .map((parts) => parts.join("")),
  expression: fc
    .array(
      fc.oneof({ weight: 6, arbitrary: tie("repeated") }, fc.constantFrom("^", "$", "\\b", "\\B", "|")),
      {
        maxLength: 5,
      },
    )
    .map((parts) => parts.join("")),
}));
const someName = fc
  .array(fc.constantFrom("a", "b", "c", "A", "B", "é", "É", "_", ".", "7", " "), { maxLength: 12 })
  .map((parts) => parts.join(""));

describe("a regular expression", () => {
  it("finds what JavaScript's finds", () => {
    let [matching, other] = [0, 0];
    fc.assert(
      fc.property(expression, fc.array(someName, { minLength: 1, maxLength: 6 }), (text, names) => {
        fc.pre(text !== "");
        const query = nameQuery(`/${text}/`);
        expect(query.error).toBe("");
        const native = new RegExp(text, "iu");
        for (const name of names) {
          const isMatch = native.test(name);
          expect(query.matches(name), `/${text}/ in "${name}"`).toBe(isMatch);
          if (isMatch) matching++;
          else other++;
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(matching, other)).toBeGreaterThan(200);
  });

  it.each([
    ["(a", "An opening bracket ( is not closed."],
    ["a)", "A closing bracket ) has no opening one."],
    ["[a", "An opening bracket [ is not closed."],
    ["*a", "There is nothing before * to repeat."],
    ["[a-\\d]", "A range such as [a-z] must end with a single character."],
    ["[!-\\d]", "A range such as [a-z] must end with a single character."],
    ["[z-a]", "The ends of a range such as [a-z] are in the wrong order."],
    ["a{3,2}", "The numbers of {3,2} are in the wrong order."],
    ["a{1001}", "{1001} repeats too often: at most 1000 times."],
    ["(?=a)", "Groups that begin with (? are not supported, except (?:"],
    ["(a)\\1", "References to groups are not supported."],
    ["\\p", "\\p is not supported."],
    ["a\\", "The expression ends with a backslash."],
    ["((a{100}){100}){100}", "The expression repeats too much: with all repeats written out it is too long."],
    ["(){1000}{1000}{1000}", "The expression repeats too much: with all repeats written out it is too long."],
    [
      "a{0}{1000}{1000}{1000}",
      "The expression repeats too much: with all repeats written out it is too long.",
    ],
    [
      "(a{0}b{0}){1000}{1000}{1000}",
      "The expression repeats too much: with all repeats written out it is too long.",
    ],
    ["(".repeat(60), "The groups are nested too deeply."],
    ["a".repeat(1001), "The expression is too long."],
  ])("says what is wrong with %s", (text, message) => {
    expect(errorOf(text)).toBe(message);
    expect(finds(`/${text}/`, "a")).toBe(false);
  });

  it("takes no longer for names that a backtracking search never finishes", () => {
    const name = "a".repeat(1000);
    for (const hostile of [
      "(a+)+b",
      "(a|a)*b",
      "(.*a){20}b",
      "(a?){500}a{500}b",
      "^(([a-z])+.)+[A-Z]([a-z])+1$",
    ]) {
      const query = nameQuery(`/${hostile}/`);
      expect(query.matches(name)).toBe(false);
      expect([query.error, query.isExhausted()]).toEqual(["", false]);
      expect(query.work()).toBeLessThan(2_500_000);
    }
  });

  it("is not what a path looks like", () => {
    expect(["/v2", "net/http/", "//", "/"].map((text) => nameQuery(text).kind)).toEqual([
      "text",
      "text",
      "text",
      "text",
    ]);
    expect(finds("/v2", "example.com/v2/main.run")).toBe(true);
  });
});

describe("texts", () => {
  it("are separated by | and have no special characters", () => {
    expect(nameQuery("json | http").terms).toBe(2);
    expect(["JSON.x", "net/HTTP", "js on"].map((name) => finds("json | http", name))).toEqual([
      true,
      true,
      false,
    ]);
    expect([finds("a.b", "axb"), finds("(*T).F", "p.(*T).F")]).toEqual([false, true]);
    expect([nameQuery("").kind, nameQuery(" | ").kind]).toEqual(["nothing", "nothing"]);
  });

  it("that are too long match nothing and say so", () => {
    const pasted = nameQuery(`main | ${"x".repeat(100_000)}`);
    expect([pasted.kind, pasted.error, pasted.matches("main.run")]).toEqual([
      "text",
      "The text is too long.",
      false,
    ]);
    expect(nameQuery("x".repeat(8000)).matches("x".repeat(8000))).toBe(true);
  });

  it("can be the name of a function, unless it has a | or slashes around it", () => {
    expect(queryFor("net/http.(*conn).serve")).toBe("net/http.(*conn).serve");
    expect([queryFor("operator||"), queryFor("/home/app/")]).toEqual([undefined, undefined]);
  });

  it("finds a package alone, whatever its name has", () => {
    const { matches, error } = nameQuery(queryForPackage("net/http"));
    expect(error).toBe("");
    expect(["net/http", "net", "net/http/internal", "net/http.Serve"].map(matches)).toEqual([
      ...[true, false, false, false],
    ]);
    for (const name of ["github.com/a+b/c.v2", "main (copy)|x", "a[b]{2}^$", "gopkg.in\\yaml"]) {
      expect(nameQuery(queryForPackage(name)).matches(name)).toBe(true);
      expect(nameQuery(queryForPackage(name)).matches(`${name}x`)).toBe(false);
    }
  });
});
