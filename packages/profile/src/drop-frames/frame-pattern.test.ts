import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FramePattern } from "./drop-frames.ts";

function matches(pattern: string, text: string): boolean | undefined {
  return FramePattern.compile(pattern)?.matches(text);
}

describe("a pattern", () => {
  // The results of Go's regexp package.
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
    ["^(?P<name>a|b)(?s:.)$", ["a\n", "bc"], ["a", "ca"]],
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
    ["a flag that is not supported", "(?i)a"],
    ["a group of flags that is not supported", "(?s-m:(?si:a))"],
    ["a look ahead", "a(?=b)"],
    ["a class of Unicode", "\\pL"],
    ["too many groups in groups", "(".repeat(1001) + ")".repeat(1001)],
    ["too many instructions", "(a|b){900}".repeat(4)],
    ["too many instructions in few characters", "(a{1000})".repeat(9)],
    ["too much text", "a".repeat(9000)],
  ])("is none where it has %s", (_, pattern) => {
    expect(FramePattern.compile(pattern)).toBeUndefined();
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

  it("matches the same names as RegExp", () => {
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
  ])("costs nothing more for a name that is like others: %s", (text) => {
    const pattern = FramePattern.compile(text)!;
    for (let name = 0; name < 1000; name++) expect(pattern.matches("a".repeat(1000))).toBe(false);
    expect(pattern.isExhausted).toBe(false);
    expect(pattern.matches(`${"a".repeat(40)}b`)).toBe(text !== "^((a|aa)+$)b");
  });

  // Each name leads to states that no other did.
  it.each(["^((a|b)*a(a|b){200}c?)$", "^((a?b?){900}c?)$"])(
    "matches nothing more once new names took too much work: %s",
    (text) => {
      const pattern = FramePattern.compile(text)!;
      expect(pattern.matches("a".repeat(201))).toBe(true);
      for (let name = 0; name < 1000; name++) pattern.matches(differentName(name));
      expect(pattern.isExhausted).toBe(true);
      expect(pattern.matches("a".repeat(201))).toBe(false);
    },
  );

  it("matches no name of more than 1,024 characters", () => {
    const pattern = FramePattern.compile("^(a*)$")!;
    expect([1024, 1025].map((length) => pattern.matches("a".repeat(length)))).toEqual([true, false]);
    expect(pattern.isExhausted).toBe(false);
  });
});

/** A thousand characters `a` and `b`, others for each number. */
function differentName(number: number): string {
  const power = 3n ** BigInt(700 + number);
  return power.toString(2).slice(0, 1000).replaceAll("0", "a").replaceAll("1", "b");
}
