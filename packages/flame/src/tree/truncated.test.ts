import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { mergeStacks, readProfile, type StackTable, sumStacks } from "@flamekeep/profile";
import { corpus } from "@flamekeep/profile/testing/corpus";
import { describe, expect, it } from "vitest";
import { BoxList } from "#view/visible-boxes.ts";
import { drawTree, stacksFrom } from "../testing/index.ts";
import { flameJson } from "../text/flame-json.ts";
import { foldedLines } from "../text/folded.ts";
import { toSvg } from "../text/svg.ts";
import { functionTotals, sortedFunctions } from "../tree/function-totals.ts";
import { viewportOf } from "../view/viewport.ts";
import { listVisibleBoxes } from "../view/visible-boxes.ts";
import { decodeFlameGraph } from "../wire/decode.ts";
import { encodeFlameGraph } from "../wire/encode.ts";
import { fromUtf8 } from "../wire/utf8.ts";
import { buildCallTree } from "./build-call-tree.ts";
import type { CallTree } from "./call-tree.ts";
import { truncatedStacks } from "./truncated.ts";

const cpu = { type: "cpu", unit: "nanoseconds" };
const heap = { type: "inuse_space", unit: "bytes" };

/** A stack of Go functions, root first, with the given depth: the last one named recurses. */
function stack(depth: number, names: readonly string[], value = 1) {
  const frames = Array.from(
    { length: depth },
    (_, at) => `${names[Math.min(at, names.length - 1)]}@main.go:7`,
  );
  return { frames, value };
}

const rootsOf = ({ firstChild, fn, functions }: CallTree) =>
  Array.from(fn.subarray(firstChild[0], firstChild[1]), (id) => functions.name[id]);

const truncatedIn = (stacks: StackTable) => [...(truncatedStacks(stacks) ?? [])];

const metaOf = { profileId: "p", totalSamples: 0, durationMs: 0, profileHash: "h" };

function svgOf(tree: CallTree): string {
  const boxes = new BoxList();
  const widthPx = 1200;
  listVisibleBoxes(tree, { ...viewportOf(tree, 0), firstRow: 0, lastRow: 100, widthPx }, boxes);
  const layers = [{ tree, boxes, colourOf: () => "#d7191c" }];
  return toSvg({ layers, widthPx, title: "cpu", background: "#ffffff", ink: "#000000" });
}

describe("stacks that a Go profiler truncated", () => {
  it("hang below one frame, apart from true roots, and keep their values", () => {
    const stacks = stacksFrom(
      [
        stack(64, ["main.visit"], 5),
        stack(64, ["main.parse", "main.visit"], 3),
        stack(3, ["runtime.main", "main.parse", "main.visit"], 4),
      ],
      cpu,
    );
    const tree = buildCallTree(stacks, 0);
    expect(
      drawTree(tree)
        .split("\n")
        .filter((line) => line.search(/\S/) < 6),
    ).toEqual([
      "root 0/12",
      "  [truncated] 0/8",
      "    main.visit 0/5",
      "    main.parse 0/3",
      "  runtime.main 0/4",
      "    main.parse 0/4",
    ]);
    expect(tree.functions.packageName[tree.functions.name.indexOf("[truncated]")]).toBe("");
    const totals = functionTotals(tree);
    const visit = tree.functions.name.indexOf("main.visit");
    expect([totals.self[visit], totals.total[visit]]).toEqual([12, 12]);
    const listed = sortedFunctions(tree, [totals], { value: "total", of: 0 }, true);
    expect(Array.from(listed, (fn) => tree.functions.name[fn])).not.toContain("[truncated]");
  });

  it("appear in JSON, folded text, picture and columns", () => {
    const tree = buildCallTree(stacksFrom([stack(64, ["main.visit"], 5), stack(3, ["main.run"], 4)], cpu), 0);
    const { root } = JSON.parse(fromUtf8(flameJson(tree, metaOf)));
    expect(root.children.map((child: { function_name: string }) => child.function_name)).toEqual([
      "[truncated]",
      "main.run",
    ]);
    expect([...foldedLines(tree)][0]).toMatch(/^\[truncated\];main\.visit;.* 5\n$/);
    expect(svgOf(tree)).toContain("<title>[truncated] 5 ns (55.6%)</title>");
    expect(decodeFlameGraph(encodeFlameGraph(tree, metaOf)).tree).toEqual(tree);
  });

  it("are those at 64 frames in CPU profiles, and at 32 or 128 in others", () => {
    const at = (depth: number, type = heap) =>
      truncatedIn(stacksFrom([stack(depth, ["main.visit"]), stack(1, ["main.run"])], type));
    expect(at(64, cpu)).toEqual([1, 0]);
    for (const depth of [32, 128]) {
      expect(at(depth)).toEqual([1, 0]);
      expect(at(depth, cpu)).toEqual([]);
    }
    for (const depth of [31, 63, 67, 127, 200]) {
      expect(at(depth)).toEqual([]);
      expect(at(depth, cpu)).toEqual([]);
    }
  });

  it("may have two more frames, inlined ones, where more are at the limit", () => {
    const table = (depths: number[]) =>
      stacksFrom(
        depths.map((depth, i) => stack(depth, [`main.f${i}`])),
        cpu,
      );
    expect(truncatedIn(table([64, 66, 3]))).toEqual([1, 1, 0]);
    expect(truncatedIn(table([64, 66, 65, 3]))).toEqual([]);
    expect(truncatedIn(table([64, 67]))).toEqual([]);
  });

  it("may have fewer frames where they allocate: the runtime's are left out after truncating", () => {
    const rows = [stack(32, ["main.a"]), stack(29, ["main.b"]), stack(26, ["main.c"])];
    expect(truncatedIn(stacksFrom(rows, heap))).toEqual([1, 1, 0]);
    expect(truncatedIn(stacksFrom([stack(64, ["main.a"]), stack(63, ["main.b"])], cpu))).toEqual([1, 0]);
  });

  it("do not begin with an entry: one of Go's, or a function with which shorter stacks begin", () => {
    const rows = [
      stack(64, ["runtime.main", "main.visit"]),
      stack(64, ["main.worker", "main.visit"]),
      stack(64, ["main.visit"]),
      stack(4, ["main.worker", "main.visit"]),
    ];
    expect(truncatedIn(stacksFrom(rows, cpu))).toEqual([0, 0, 1, 0]);
  });

  it("do not begin with a function that nothing calls: a goroutine may happen to be as deep as the limit", () => {
    const goroutines = { type: "goroutine", unit: "count" };
    const deep = stack(32, ["main.(*Pool).run", "main.step"], 100);
    const others = stack(4, ["runtime.main", "main.wait"], 5);
    expect(truncatedIn(stacksFrom([deep, others], goroutines))).toEqual([]);
    const called = stack(4, ["runtime.main", "main.(*Pool).run"], 5);
    expect(truncatedIn(stacksFrom([deep, called], goroutines))).toEqual([1, 0]);
  });

  it("are Go's: others truncate elsewhere", () => {
    const frames = Array.from({ length: 64 }, (_, at) => `visit${at}@app.rb:3`);
    expect(truncatedStacks(stacksFrom([{ frames, value: 1 }], cpu))).toBeUndefined();
    const bare = Array.from({ length: 64 }, (_, at) => `app!0x${at}`);
    expect(truncatedStacks(stacksFrom([{ frames: bare, value: 1 }], cpu))).toBeUndefined();
  });

  it("are the same in a merge of profiles", () => {
    const first = stacksFrom([stack(64, ["main.visit"], 5), stack(3, ["main.run"], 4)], cpu);
    const second = stacksFrom(
      [stack(5, ["main.run", "main.parse"], 2), stack(64, ["main.parse", "main.visit"], 1)],
      cpu,
    );
    const tree = buildCallTree(mergeStacks([first, second]), 0);
    expect(rootsOf(tree).toSorted()).toEqual(["[truncated]", "main.run"]);
    expect(tree).toEqual(buildCallTree(mergeStacks([second, first]), 0));
    expect(tree.total[0]).toBe(12);
  });

  it("keeps a function of the program that has the name of the frame apart", () => {
    const rows = [stack(64, ["main.visit"], 5), stack(1, ["[truncated]"], 2)];
    expect(rootsOf(buildCallTree(stacksFrom(rows, cpu), 0))).toEqual(["[truncated]", "[truncated]"]);
  });
});

function stacksAt(path: URL): StackTable {
  const result = readProfile(gunzipSync(readFileSync(path)));
  if (!result.ok) throw new Error(result.error.message);
  return sumStacks(result.profile);
}

describe("real profiles", () => {
  it("of a program that calls 110 deep, recorded with Go 1.26, have one other root", () => {
    const tree = buildCallTree(stacksAt(new URL("fixtures/deep-cpu.pb.gz", import.meta.url)), 1);
    expect(rootsOf(tree)).toEqual(["runtime.main", "[truncated]"]);
    // As `go tool pprof -top` has them: of all 780 ms, main.descend is 160 and begins all that was truncated.
    const total = (name: string) => functionTotals(tree).total[tree.functions.name.indexOf(name)];
    expect([tree.total[0], total("[truncated]"), total("main.descend")]).toEqual([780e6, 160e6, 160e6]);
    expect([total("main.visit"), total("runtime.main"), total("main.spin")]).toEqual([390e6, 620e6, 780e6]);
  });

  const collected = new URL("open/", corpus);
  it.runIf(existsSync(collected)).each([
    ["grafana+pyroscope+pkg+pprof+testdata+gotruncatefix+cpu_go_truncated_1.pb.gz", 150],
    ["grafana+pyroscope+pkg+pprof+testdata+gotruncatefix+heap_go_truncated_2.pb.gz", 2620],
    ["united-manufacturing-hub+benthos-umh+cpu.prof", 135],
    ["united-manufacturing-hub+benthos-umh+allocs.prof", 5],
    ["golang+go+src+cmd+compile+default-1.22.pgo", 323],
    ["UnownHash+Golbat+default.pgo", 0],
    ["prometheus+prometheus+cmd+prometheus+profile+prometheus-amd64.pprof", 0],
  ])("of others: %s has %i such stacks", (name, count) => {
    const path = new URL(encodeURIComponent(name), collected);
    const stacks = stacksAt(path);
    const truncated = truncatedIn(stacks).reduce((sum, isTruncated) => sum + isTruncated, 0);
    expect(truncated).toBe(count);
    const tree = buildCallTree(stacks, 0);
    expect(rootsOf(tree).includes("[truncated]")).toBe(count > 0);
  });
});
