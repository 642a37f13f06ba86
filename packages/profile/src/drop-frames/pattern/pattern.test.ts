import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "./compile-pattern.ts";
import { PatternMatcher } from "./pattern-matcher.ts";

const plenty = 1e9;

function matches(pattern: string, text: string): boolean | undefined {
  const program = compilePattern(pattern);
  return program && new PatternMatcher(program, { left: plenty }).matches(text);
}

/** Instructions that a match takes. */
function workOf(pattern: string, text: string): number {
  const program = compilePattern(pattern);
  if (program === undefined) throw new Error(`${pattern} does not compile`);
  const effort = { left: plenty };
  new PatternMatcher(program, effort).matches(text);
  return plenty - effort.left;
}

describe("a pattern", () => {
  // What Go's regexp says of these.
  it.each([
    ["a.c", ["abc", "xabcx", "a日c"], ["ac", "a\nc"]],
    [
      "^(malloc|(__)?posix_memalign)$",
      ["malloc", "posix_memalign", "__posix_memalign"],
      ["tc_malloc", "mallocx"],
    ],
    ["^(operator new(\\[\\])?)$", ["operator new", "operator new[]"], ["operator new[", "operator newer"]],
    ["^(runtime\\.call[0-9]*)$", ["runtime.call", "runtime.call64"], ["runtime-call", "runtime.callx"]],
    ["^(a)|(b)$", ["ax", "xb", "a"], ["xa", "bx"]],
    ["^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]],
    ["^(?:ab){2,}$", ["abab", "ababab"], ["ab", "aba"]],
    ["a{,2}", ["a{,2}"], ["aa"]],
    ["^[^\\d\\-x]$", ["a", "\n", "é"], ["7", "-", "x"]],
    ["^[]a-c^-]+$", ["]", "abc", "^-"], ["d", ""]],
    ["^[[:alpha:]_[:^ascii:]]+$", ["aZ_é"], ["7"]],
    ["^[[:a]$", ["[", ":", "a"], ["b"]],
    ["\\bnew\\b", ["operator new[]"], ["newer", "_new"]],
    ["^\\x41\\x{1f600}\\101\\.\\_$", ["A😀A._"], ["A😀A.a"]],
    ["^\\Qa*b\\E+$", ["a*b", "a*bbb"], ["aab"]],
    ["\\A\\w+\\s\\W\\z", ["ab -", "a\n."], ["ab-", "ab  -"]],
    ["^(|a)$", ["", "a"], ["b"]],
    ["^.+?$", ["ab"], [""]],
    ["[^\\x00-\\x{10FFFF}]", [], ["", "a", "é"]],
  ] as [string, string[], string[]][])("%s", (pattern, those, others) => {
    for (const text of those) expect(matches(pattern, text), text).toBe(true);
    for (const text of others) expect(matches(pattern, text), text).toBe(false);
  });

  it.each([
    ["an open group", "a("],
    ["a parenthesis too many", "a)"],
    ["an open class", "[a"],
    ["a class that nobody knows", "[[:vowel:]]"],
    ["a range that goes back", "[z-a]"],
    ["a range that ends in a class", "[a-\\d]"],
    ["nothing to repeat", "*a"],
    ["a repetition of a repetition", "a**"],
    ["a count beyond 1000", "a{1001}"],
    ["counts beyond 1000 together", "(a{100}){100}"],
    ["a count that goes back", "a{3,2}"],
    ["an escape that nobody knows", "\\y"],
    ["a reference back", "(a)\\1"],
    ["a number that is no character", "\\x{110000}"],
    ["a backslash at the end", "a\\"],
    ["flags", "(?i)a"],
    ["a named group", "(?P<n>a)"],
    ["a look ahead", "a(?=b)"],
    ["a class of Unicode", "\\pL"],
    ["too many groups in groups", "(".repeat(500) + ")".repeat(500)],
    ["too many instructions", "(a|b){900}".repeat(4)],
    ["too much text", "a".repeat(9000)],
  ])("is none where it has %s", (_, pattern) => {
    expect(compilePattern(pattern)).toBeUndefined();
  });

  const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "[b-d]", "\\w", "\\.", "^", "$", "\\b", "");
  const { pattern: generated } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      atom,
      fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `${a}${b}`),
      fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})`),
      fc
        .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{2,}", "*?"))
        .map(([a, times]) => `(${a})${times}`),
    ),
  }));

  it("matches what RegExp matches", () => {
    let matched = 0;
    fc.assert(
      fc.property(
        generated,
        fc.string({ unit: fc.constantFrom("a", "b", "c", ".", " "), maxLength: 7 }),
        (pattern, text) => {
          const expected = new RegExp(pattern, "u").test(text);
          if (expected) matched++;
          expect(matches(pattern, text)).toBe(expected);
        },
      ),
      { numRuns: 3000 },
    );
    expect(matched).toBeGreaterThan(300);
  });

  it.each([
    "^((a*)*b)$",
    "^((a|a)*b)$",
    "^((a|aa)+$)b",
    "(a*)*(a*)*b$",
    "^((.*a.*){10}b)$",
    "^(a?){30}a{30}b$",
  ])("takes work in proportion to the text: %s", (pattern) => {
    expect(matches(pattern, "a".repeat(4000))).toBe(false);
    const once = workOf(pattern, "a".repeat(4000));
    expect(workOf(pattern, "a".repeat(8000))).toBeLessThan(2.1 * once);
    expect(once).toBeLessThan(4000 * 1000);
  });

  it("stops when the effort is used up", () => {
    const effort = { left: 100 };
    expect(new PatternMatcher(compilePattern("^(a*)*b$")!, effort).matches("a".repeat(1e6))).toBe(false);
    expect(effort.left).toBeLessThan(0);
    expect(effort.left).toBeGreaterThan(-100);
  });
});
