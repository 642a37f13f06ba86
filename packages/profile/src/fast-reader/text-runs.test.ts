import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextBytes } from "#memory/text-bytes.ts";
import { TextRuns } from "./text-runs.ts";

/** The lines of a text with their runs as the reader has them: a run's meaning is the place of its text among those that were asked for. */
function linesOf(content: string, kind: "frames" | "comments" | "indented" | "places", runsMax = 100) {
  const text = new TextBytes(Buffer.from(content));
  const asked: string[] = [];
  const lines: { line: string; runs: string[] }[] = [];
  const runs = new TextRuns(text, (from, to) => asked.push(text.text(from, to)) - 1);
  runs.eachLine({ kind, runsMax }, (start, end, from, to) => {
    const meanings = [...runs.meanings.subarray(from, to)];
    lines.push({ line: text.text(start, end), runs: meanings.map((at) => asked[at]!) });
  });
  return { lines, asked };
}

describe("the runs of a text", () => {
  it("are the frames of collapsed stacks, each asked for once, whichever part of the text has them", () => {
    const names = fc.stringMatching(/^[a-z ]{0,40}$/);
    // A line is longer than a part.
    const long = fc.constantFrom("x", "y".repeat(140_000));
    fc.assert(
      fc.property(
        fc.array(fc.array(names, { minLength: 1, maxLength: 9 }), { minLength: 1 }),
        long,
        (stacks, last) => {
          const kept = stacks.map((frames) => [...frames, last]);
          const once = kept.map((frames) => `${frames.join(";")} 7\n`).join("");
          const repeated = once.repeat(Math.ceil(last.length > 1 ? 1 : 300_000 / once.length));
          const { lines, asked } = linesOf(repeated, "frames");
          const isLong = last.length > 1;
          for (const [at, { line, runs }] of lines.entries()) {
            const frames = kept[at % kept.length]!;
            expect(line).toBe(`${frames.join(";")} 7`);
            expect(runs).toEqual(isLong ? [] : frames);
          }
          expect(lines.length).toBe(repeated.split("\n").length - 1);
          expect(new Set(asked).size).toBe(asked.length);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("are many, and then more than are kept: their lines have none", () => {
    const count = 300_000;
    const content = Array.from({ length: count }, (_, at) => `#${String(at).padStart(60, "0")}`).join("\n");
    const { lines, asked } = linesOf(`${content}\n${content}`, "comments");
    expect(lines.length).toBe(2 * count);
    expect(asked.length).toBeGreaterThan(50_000);
    expect(asked.length).toBeLessThan(count);
    expect(lines.every(({ line, runs }) => runs.length === 0 || runs[0] === line)).toBe(true);
    expect(lines.slice(count, count + 50_000).every(({ runs }) => runs.length === 1)).toBe(true);
  });

  it.each([
    ["frames", "a;bc;a;bcd;a;b;a;bc 1", [["a", "bc", "a", "bcd", "a", "b", "a", "bc"]]],
    ["frames", "a;b 1\n#a;b 1\n\n  2\na b;;c\t3", [["a", "b"], [], [], [], ["a b", "", "c"]]],
    ["frames", "a;é 1\na\u00a0 1\na 1\u00a0", [[], [], []]],
    ["comments", "# a\r\nb\n# a\n#", [["# a"], [], ["# a"], ["#"]]],
    ["indented", "\ta\n b\nc\n", [["\ta"], [" b"], []]],
    [
      "places",
      "main.f(0x1, {0x2})\n\t/main.go:1\n()\nf(x) y\ng()(...)\r\n",
      [["main.f"], ["\t/main.go:1"], [], [], ["g()"]],
    ],
  ] as const)("of %s in %j", (kind, content, runs) => {
    expect(linesOf(content, kind).lines.map((line) => line.runs)).toEqual(runs);
  });

  it("are at most as many in a line as are asked for", () => {
    expect(linesOf("a;b;c;d 1\n", "frames", 2).lines).toEqual([{ line: "a;b;c;d 1", runs: ["a", "b"] }]);
  });
});
