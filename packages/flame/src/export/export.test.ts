import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultLimits, readProfile, sumStacks } from "@flamekeep/profile";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { arbitraryStacks, compared, drawTree, stacksFrom, stacksOf } from "../testing/index.ts";
import { foldedLines } from "../text/folded.ts";
import { sandwichTree, transformTree } from "../transform/apply.ts";
import { chainOf } from "../transform/chain.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import type { CallTree } from "../tree/call-tree.ts";
import { functionTotals } from "../tree/function-totals.ts";
import { layOut } from "../tree/lay-out.ts";
import { pruneTree } from "../tree/prune.ts";
import { nodeNamed } from "../view/node-ref.ts";
import { htmlPage } from "./html-page.ts";
import { pprofBytes } from "./pprof.ts";
import { speedscopeJson } from "./speedscope.ts";
import { viewStacks } from "./view-stacks.ts";

const nanoseconds = { type: "cpu", unit: "nanoseconds" };
const tree = buildCallTree(
  stacksOf(
    "main@m.go:3;serve@s.go:10;parse@p.go:7 40\nmain@m.go:3;serve@s.go:10 9\nmain@m.go:3;gc 7",
    nanoseconds,
  ),
  0,
);
const all = (of: CallTree) => viewStacks({ tree: of, focus: 0, zoom: 0 })!;

describe("the stacks of a view", () => {
  it("make the same tree again", () => {
    fc.assert(
      fc.property(arbitraryStacks, (stacks) => {
        const drawn = buildCallTree(stacks, 0);
        // A path without a value has no box.
        fc.pre(drawn.total.every((value) => value !== 0) && drawn.self.every((value) => value >= 0));
        expect(drawTree(buildCallTree(all(drawn), 0))).toBe(drawTree(drawn));
      }),
    );
  });

  it("go through the zoomed frame and begin at the focused one", () => {
    const serve = nodeNamed(tree, "root_0_0");
    const lines = (focus: number) => foldedOf(buildCallTree(viewStacks({ tree, focus, zoom: serve })!, 0));
    expect(lines(0)).toBe("main;serve 9\nmain;serve;parse 40\n");
    expect(lines(serve)).toBe("serve 9\nserve;parse 40\n");
    expect([...foldedLines(tree, serve, 0)].join("")).toBe(lines(0));
  });

  it("keep the values of frames that were left out, as a frame that says so", () => {
    const pruned = pruneTree(tree, { maxNodes: 3 });
    const expected =
      "main;serve 9\nmain;serve;[1 small frame left out] 40\nmain;[1 small frame left out] 7\n";
    expect(
      foldedOf(buildCallTree(all(pruned), 0))
        .split("\n")
        .sort(),
    ).toEqual(expected.split("\n").sort());
    expect([...foldedLines(pruned)].join("").split("\n").sort()).toEqual(expected.split("\n").sort());
  });

  it("have both values of a comparison", () => {
    const both = layOut(compared("main;a 3\nmain;b 4", "main;a 5"), [1, 1]);
    const { sampleTypes, values, length } = all(both);
    expect(sampleTypes.map(({ type }) => type)).toEqual(["before_samples", "after_samples"]);
    expect([length, [...values[0]!].sort(), [...values[1]!].sort()]).toEqual([2, [3, 4], [0, 5]]);
  });

  it("are none where they would not fit into memory", () => {
    const deep = Array.from({ length: 10_000 }, (_, level) => `f${level}`);
    const drawn = buildCallTree(stacksFrom([{ frames: deep, value: 1 }]), 0);
    expect(viewStacks({ tree: drawn, focus: 0, zoom: 0 })?.length).toBe(1);
    // Each frame is the last one of a stack.
    drawn.self.fill(1);
    expect(viewStacks({ tree: drawn, focus: 0, zoom: 0 })).toBeUndefined();
  });
});

function foldedOf(of: CallTree): string {
  return [...foldedLines(of)].join("");
}

const folder = mkdtempSync(join(tmpdir(), "flame-export-"));
afterAll(() => rmSync(folder, { recursive: true }));
const hasGo = spawnSync("go", ["version"]).status === 0;

function goTop(of: CallTree): { readonly total: string; readonly functions: Record<string, string> } {
  const file = join(folder, "view.pb");
  writeFileSync(file, pprofBytes(all(of), "a view"));
  const args = [
    "tool",
    "pprof",
    "-symbolize=none",
    "-top",
    "-nodecount=100000",
    "-nodefraction=0",
    "-unit=ns",
    file,
  ];
  const { stdout, status, stderr } = spawnSync("go", args, { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/u));
  const functions = rows
    .filter((row) => /^-?\d/u.test(row[0] ?? "") && row.length >= 6)
    .map((row) => [
      row.slice(5).join(" "),
      `${Number.parseInt(row[0]!, 10)}/${Number.parseInt(row[3]!, 10)}`,
    ]);
  return { total: /of (\S+) total/u.exec(stdout)?.[1] ?? "", functions: Object.fromEntries(functions) };
}

function selfTop(of: CallTree): Record<string, string> {
  const { self, total } = functionTotals(of);
  const entries = of.functions.name.map((name, fn) => [name, `${self[fn]}/${total[fn]}`]);
  return Object.fromEntries(entries.slice(1).filter(([, values]) => values !== "0/0"));
}

describe("pprof of a view", () => {
  it("reads back with names, files and lines", () => {
    const read = readProfile(pprofBytes(all(tree), "checkout · CPU"), defaultLimits);
    if (!read.ok) throw new Error(read.error.message);
    const again = buildCallTree(sumStacks(read.profile), 0);
    expect(drawTree(again)).toBe(drawTree(tree));
    expect(again.valueType).toEqual(nanoseconds);
    expect(read.profile.comments).toEqual(["checkout · CPU"]);
    expect([again.functions.file[again.fn[2]!], again.line[2]]).toEqual(["s.go", 10]);
  });

  it("has no fractions, and 64 bits where they are needed", () => {
    const large = buildCallTree(stacksOf(`main;a ${2 ** 60}\nmain;b 2.6`), 0);
    const read = readProfile(pprofBytes(all(large), "a view"), defaultLimits);
    if (!read.ok) throw new Error(read.error.message);
    expect([...read.profile.samples.values[0]!].map(Number).sort()).toEqual([2 ** 60, 3].sort());
  });

  it.skipIf(!hasGo).each([
    ["as it is", (of: CallTree) => of],
    ["inverted", (of: CallTree) => transformTree(of, chainOf("invert"))],
    ["callers of a sandwich", (of: CallTree) => sandwichTree(of, { by: "function", text: "parse" }).callers],
    ["callees of a sandwich", (of: CallTree) => sandwichTree(of, { by: "function", text: "serve" }).callees],
    ["cut by the server", (of: CallTree) => pruneTree(of, { maxNodes: 3 })],
  ])("has the totals that go tool pprof computes: %s", (_, change) => {
    const drawn = change(tree);
    const found = goTop(drawn);
    expect(found.total).toBe(`${drawn.total[0]}ns`);
    const { "[1 small frame left out]": leftOut = "0/0", ...functions } = found.functions;
    const elided = drawn.elisions.total.reduce((sum, value) => sum + value, 0);
    expect([functions, leftOut]).toEqual([selfTop(drawn), `${elided}/${elided}`]);
  });
});

describe("speedscope of a view", () => {
  it("lists the stacks outermost first, with places and weights", () => {
    const file = JSON.parse(speedscopeJson(all(tree), "checkout"));
    expect(file.$schema).toBe("https://www.speedscope.app/file-format-schema.json");
    const names = (sample: number[]) => sample.map((frame) => file.shared.frames[frame].name).join(";");
    const [profile] = file.profiles;
    expect(profile).toMatchObject({
      type: "sampled",
      name: "checkout cpu",
      unit: "nanoseconds",
      endValue: 56,
    });
    expect(
      profile.samples.map((sample: number[], at: number) => `${names(sample)} ${profile.weights[at]}`),
    ).toEqual(["main;serve 9", "main;gc 7", "main;serve;parse 40"]);
    expect(file.shared.frames).toContainEqual({ name: "serve", file: "s.go", line: 10 });
  });
});

describe("the HTML page of a view", () => {
  const hostile = `</script><img src=x onerror=alert(1)>"'&<!--\u2028${"`"}\${1}`;
  const page = htmlPage({
    title: hostile,
    about: hostile,
    graphs: [
      {
        name: "Callees",
        tree: buildCallTree(stacksFrom([{ frames: ["main", hostile], value: 5 }]), 0),
        focus: 0,
        isUpwards: false,
        colourOf: () => "#d7191c",
      },
    ],
    search: hostile,
    theme: "light",
    script: "run();",
    style: "body{}",
    nonce: "abc",
  });

  it("has hostile names as text only, in a page that loads and runs nothing else", () => {
    expect(page.match(/<script/gu)).toHaveLength(2);
    expect(page.match(/<\/script>/gu)).toHaveLength(2);
    for (const text of ["<img", "<!--"]) expect(page).not.toContain(text);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/u.exec(page)?.[1];
    expect(policy).toBe(
      "default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc'; base-uri 'none'; form-action 'none'",
    );
    expect(page).not.toMatch(/<[^>]*\s(?:src|href)=/u);
  });

  it("lists the frames level by level", () => {
    const block = /<script type="application\/json" id="graph">(.*?)<\/script>/su.exec(page)![1]!;
    const { graphs, names, labels, steps } = JSON.parse(block);
    expect(graphs).toEqual([
      {
        name: "Callees",
        isUpwards: false,
        whole: [5],
        measures: ["samples"],
        levels: [
          [0, 5, 0, 0, 5, 0],
          [0, 5, 1, 0, 5, 0],
          [0, 5, 2, 0, 5, 5],
        ],
      },
    ]);
    expect(names.slice(0, 2)).toEqual(["root", "main"]);
    expect(labels).toHaveLength(names.length);
    expect(labels.slice(0, 2)).toEqual(["root", "main"]);
    expect(steps.at(-1)).toEqual([1, ""]);
  });

  it("distinguishes the root from a function of the same name", () => {
    const stacks = stacksFrom([{ frames: ["root", "main"], value: 5 }]);
    const graph = { name: "Flame graph", tree: buildCallTree(stacks, 0), focus: 0, isUpwards: false };
    const html = htmlPage({
      ...{ title: "", about: "", search: "", theme: "light", script: "", style: "", nonce: "" },
      graphs: [{ ...graph, colourOf: () => "#d7191c" }],
    });
    const { names, graphs } = JSON.parse(/id="graph">(.*?)<\/script>/su.exec(html)![1]!);
    expect(names).toEqual(["root", "root", "main"]);
    expect(graphs[0].levels.map((row: readonly number[]) => row[2])).toEqual([0, 1, 2]);
  });
});
