/**
 * The answers of trees, comparisons and their texts, tables and layouts for recorded profiles, as digests: a redesign leaves them alone.
 * After a wanted change, `UPDATE_GOLDEN=1` writes those of this run.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import {
  defaultLimits,
  diffStacks,
  pairStacks,
  readProfile,
  type StackTable,
  sumStacks,
} from "@flamekeep/profile";
import { inflatedRecording } from "@flamekeep/profile/testing/recordings";
import { afterAll, describe, expect, it } from "vitest";
import { type ComparisonMeta, comparisonJson, decodeComparison, dividedBy, shareScale } from "./compare.ts";
import { htmlPage, pprofBytes, speedscopeJson, viewStacks } from "./export.ts";
import {
  buildCallTree,
  buildComparison,
  byStoredFrame,
  type CallTree,
  callRows,
  decodeFlameGraph,
  decodePreview,
  encodeFlameGraph,
  flameJson,
  foldedLines,
  functionTotals,
  type LaidOutTree,
  layOut,
  levelsJson,
  matchesByWidth,
  packageTotals,
  placesOf,
  pruneTree,
  runText,
  type Scale,
  searchTree,
  selfByOwner,
  sortedFunctions,
  subtreeAt,
  totalsByColumn,
  totalsByOwner,
} from "./index.ts";
import { syntheticStacks } from "./testing/index.ts";
import { chainOf, sandwichTree, transformTree } from "./transform.ts";

const file = new URL("fixtures/golden.json", import.meta.url);
const isUpdate = process.env.UPDATE_GOLDEN === "1";
const golden: Record<string, string> = isUpdate ? {} : JSON.parse(readFileSync(file, "utf8"));

afterAll(() => {
  if (isUpdate) writeFileSync(file, `${JSON.stringify(golden, null, 2)}\n`);
});

function digest(value: unknown): string {
  const text: string | undefined = JSON.stringify(value, (_, part) =>
    ArrayBuffer.isView(part) ? Array.from(part as Uint8Array) : part,
  );
  return createHash("sha256")
    .update(text ?? "")
    .digest("hex")
    .slice(0, 16);
}

/** One digest for each named value. */
function expectGolden(name: string, values: Readonly<Record<string, unknown>>): void {
  const found = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`${name}: ${key}`, digest(value)]),
  );
  if (isUpdate) Object.assign(golden, found);
  const expected = Object.keys(found).map((key) => [key, golden[key]]);
  expect(found).toEqual(Object.fromEntries(expected));
}

function recorded(name: string): StackTable {
  const result = readProfile(inflatedRecording(`${name}.pb.gz`)!, defaultLimits);
  if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
  return sumStacks(result.profile);
}

const columnOf = (stacks: StackTable, type: string) =>
  stacks.sampleTypes.findIndex((each) => each.type === type);

function pair(before: StackTable, after: StackTable, type: string): StackTable {
  const side = (stacks: StackTable) => ({ stacks, sampleType: columnOf(stacks, type) });
  return pairStacks(side(before), side(after));
}

/** Fractions, as means of gauges are. */
function divided(stacks: StackTable, by: number): StackTable {
  return {
    ...stacks,
    values: stacks.values.map((column) =>
      Float64Array.from(column as Float64Array, (value) => Number(value) / by),
    ),
  };
}

const { go119, go126 } = { go119: "go1.19", go126: "go1.26" };
const cpu = recorded(`${go126}/cpu`);
const synthetic = syntheticStacks({ stacks: 6_000, depth: 60, names: 300 });

const singles: Readonly<Record<string, () => CallTree>> = {
  cpu: () => buildCallTree(cpu, columnOf(cpu, "cpu")),
  "cpu, at most 100 nodes": () => buildCallTree(cpu, columnOf(cpu, "cpu"), 100),
  "cpu by stored frame": () => buildCallTree(byStoredFrame(cpu, cpu), columnOf(cpu, "cpu")),
  "heap in use": () => buildCallTree(recorded(`${go126}/heap`), 3),
  "heap, a third": () => buildCallTree(divided(recorded(`${go126}/heap`), 3), 3),
  goroutine: () => buildCallTree(recorded(`${go126}/goroutine`), 0),
  "deep cpu": () => buildCallTree(recorded(`${go126}/deep-cpu`), 1),
  mutex: () => buildCallTree(recorded(`${go126}/mutex`), 1),
  "difference of two": () =>
    buildCallTree(diffStacks(recorded(`${go126}/large-cpu-1`), recorded(`${go126}/large-cpu-2`)), 1),
  "difference of two, at most 80 nodes": () =>
    buildCallTree(diffStacks(recorded(`${go126}/large-cpu-1`), recorded(`${go126}/large-cpu-2`)), 1, 80),
  "synthetic, large": () => buildCallTree(synthetic, 0),
};

const chains = [
  "invert",
  "my-code",
  "collapse",
  "hide-runtime",
  "focus:main.knead",
  "ignore-package:runtime",
  "hide-search:a",
];

const treeFields = (tree: CallTree) => {
  const { length, valueType, functions, firstChild, parent, fn, line, self, total, width, x, samples } = tree;
  const { levelStart, elisions, whole } = tree;
  const [{ allFrames }] = tree.columns;
  const columns = [
    length,
    valueType,
    firstChild,
    parent,
    fn,
    line,
    self,
    total,
    width,
    x,
    samples,
    levelStart,
    whole,
  ];
  const { node, count, largest, samples: elidedSamples } = elisions;
  const elided = [elisions.length, node, count, elisions.total, elisions.width, elidedSamples, largest];
  return { columns, elided, functions, allFrames: allFrames && sumsOf(allFrames) };
};

const sumsOf = ({ self, total, frames }: ReturnType<typeof functionTotals>) => ({ self, total, frames });

const meta = { profileId: "p", totalSamples: 12_345, durationMs: 10, profileHash: "h" };

describe("a single graph is as it was", () => {
  it.each(Object.keys(singles))("%s", (name) => {
    const tree = singles[name]!();
    const pruned = pruneTree(tree, { maxNodes: 60, hasAllFrames: true });
    const shallow = pruneTree(tree, { maxNodes: 10_000, maxDepth: 4 });
    const part = subtreeAt(tree, tree.firstChild[1]!);
    const search = searchTree(pruned, "main");
    const totals = functionTotals(tree);
    const chained = chains.map((chain) => treeFields(transformTree(pruned, chainOf(chain))));
    const target = { by: "function", text: "runtime.mallocgc" } as const;
    const { callers, callees } = sandwichTree(tree, target);
    const stacks = viewStacks({ tree: pruned, focus: 0, zoom: 0 })!;
    const wire = encodeFlameGraph(tree, meta);
    const preview = decodePreview(wire);
    expect(preview !== undefined).toBe(tree.length > 32_768);
    expectGolden(name, {
      tree: treeFields(tree),
      pruned: [treeFields(pruned), treeFields(shallow), treeFields(pruneTree(pruned, { maxNodes: 20 }))],
      part: treeFields(part),
      transformed: chained,
      sandwich: [treeFields(callers), treeFields(callees)],
      wire: [wire, encodeFlameGraph(pruned, meta)].map((bytes) => treeFields(decodeFlameGraph(bytes).tree)),
      preview: preview && treeFields(preview.tree),
      json: [tree, pruned, part].map((each) =>
        Buffer.from(flameJson(each, meta, { maxNodes: 200 })).toString(),
      ),
      index: Buffer.from(flameJson(pruned, meta, { hasSearchIndex: true })).toString(),
      levels: Buffer.from(levelsJson(pruned, meta)).toString(),
      totals: [sumsOf(totals), sumsOf(functionTotals(tree, 1)), selfByOwner(pruned), packageTotals(pruned)],
      order: orders(tree),
      places: Array.from({ length: 20 }, (_, fn) => [placesOf(tree, fn), placesOf(pruned, fn)]),
      search: [
        search.matches,
        search.marks,
        search.functionCount,
        search.frameCount,
        search.values[0],
        search.isLeast,
      ],
      widest: [...matchesByWidth(pruned, search)].slice(0, 50),
      folded: [...foldedLines(pruned)],
      exports: [Buffer.from(pprofBytes(stacks, "t")).toString("base64"), speedscopeJson(stacks, "t")],
      page: pageOf(pruned),
      runs: Array.from({ length: 20 }, (_, node) => runText(pruned, node, -1)),
      rows: callRows(pruned, 0, new Set([0, 1, 2, 3])),
    });
  });
});

function orders(tree: CallTree) {
  const totals = functionTotals(tree);
  const columns = ["name", { value: "self", of: 0 }, { value: "total", of: 0 }] as const;
  return columns.map((column) => [
    sortedFunctions(tree, [totals], column, true),
    sortedFunctions(tree, [totals], column, false),
  ]);
}

function pageOf(tree: CallTree): string {
  const graph = { name: "g", tree, focus: 0, isUpwards: false, colourOf: () => "#d7191c" };
  const texts = { title: "t", about: "a", search: "", script: "", style: "", nonce: "n" };
  return htmlPage({ ...texts, theme: "light", graphs: [graph] });
}

const cpuPair = () => pair(recorded(`${go126}/large-cpu-1`), recorded(`${go126}/large-cpu-2`), "cpu");
const heapPair = () => pair(recorded(`${go119}/heap`), recorded(`${go126}/heap`), "inuse_space");

const unscaled = [1, 1];

/** With the scale that it was made for. */
const comparisons: Readonly<Record<string, () => readonly [CallTree, Scale]>> = {
  "two CPU profiles": () => [buildComparison(cpuPair()), unscaled],
  "two CPU profiles, scaled": () => {
    const scale = [1 / 30, 1 / 7];
    return [buildComparison(cpuPair(), scale), scale];
  },
  "two CPU profiles, at most 90 nodes": () => [buildComparison(cpuPair(), unscaled, 90), unscaled],
  "two heaps": () => [buildComparison(heapPair()), unscaled],
  "two means of heaps": () => {
    const scale = [1 / 3, 1 / 7];
    return [dividedBy(buildComparison(heapPair(), scale), [3, 7]), unscaled];
  },
  "two synthetic ones": () => [
    buildComparison(
      pair(
        syntheticStacks({ stacks: 500, depth: 25, names: 200 }),
        syntheticStacks({ stacks: 500, depth: 20, names: 200 }),
        synthetic.sampleTypes[0]!.type,
      ),
    ),
    unscaled,
  ],
};

const comparisonFields = ({ columns, functions, firstChild, parent, fn, line, elisions }: CallTree) => {
  const [before, after] = columns.map(({ self, total, allFrames }) => [
    self,
    total,
    allFrames && sumsOf(allFrames),
  ]);
  const { node, count, largest } = elisions;
  const elided = [elisions.length, node, count, columns[0].elided, columns[1].elided, largest];
  return { columns: [firstChild, parent, fn, line], functions, before, after, elided };
};

const drawnFields = (tree: LaidOutTree) => {
  const { self, total, width, x, levelStart, source, elisions } = tree;
  return [self, total, width, x, levelStart, source, elisions.total, elisions.width, comparisonFields(tree)];
};

const side = {
  profileId: "p",
  service: "s",
  from: "",
  to: "",
  tags: {},
  profiles: 1,
  durationMs: 1,
  total: 9,
};
const comparisonMeta: ComparisonMeta = {
  type: "cpu",
  hash: "h",
  sampleTypes: ["cpu/nanoseconds"],
  aggregation: "sum",
  before: side,
  after: { ...side, labels: { a: "b" } },
  normalisations: [{ per: "profile", before: 2, after: 3 }],
  noRequests: null,
};

describe("a comparison is as it was", () => {
  it.each(Object.keys(comparisons))("%s", (name) => {
    const [comparison, scale] = comparisons[name]!();
    const share = shareScale(comparison);
    const prune = (of: CallTree, by: Scale, maxNodes: number, hasAllFrames = false) =>
      of.length <= maxNodes ? of : pruneTree(layOut(of, by), { maxNodes, hasAllFrames });
    const pruned = prune(comparison, scale, 70, true);
    const part = subtreeAt(comparison, comparison.firstChild[1]!);
    const tree = layOut(pruned, share);
    const whole = layOut(comparison, share);
    const search = searchTree(withoutSums(tree), "main");
    const stacks = viewStacks({ tree, focus: 0, zoom: 0 })!;
    const { callers, callees } = sandwichTree(comparison, { by: "function", text: "runtime.mallocgc" });
    const json = (of: CallTree, maxNodes: number, isPart: boolean) =>
      JSON.stringify(comparisonJson(of, comparisonMeta, { maxNodes, maxFunctions: 50, isPart }));
    expectGolden(name, {
      comparison: comparisonFields(comparison),
      pruned: [pruned, prune(pruned, scale, 20), prune(comparison, share, 30)].map(comparisonFields),
      part: comparisonFields(part),
      transformed: chains.map((chain) => {
        const after = transformTree(pruned, chainOf(chain));
        return [comparisonFields(after), drawnFields(layOut(after, share))];
      }),
      sandwich: [comparisonFields(callers), comparisonFields(callees)],
      wire: [
        comparisonFields(decodeComparison(encodeFlameGraph(pruned, comparisonMeta)).tree),
        comparisonFields(decodeComparison(encodeFlameGraph(comparison, comparisonMeta, [3, 7])).tree),
      ],
      drawn: [scale, share].flatMap((by) =>
        [undefined, 0, 1].map((of) => drawnFields(layOut(comparison, by, of))),
      ),
      "drawn of pruned": [undefined, 0, 1].map((of) => drawnFields(layOut(pruned, share, of))),
      json: [json(comparison, 10_000, false), json(comparison, 40, false), json(part, 40, true)],
      changes: [totalsByColumn(tree), totalsByColumn(tree, 1), totalsByOwner(tree, "mutex")].map(
        changeFields,
      ),
      order: changeOrders(tree),
      places: Array.from({ length: 20 }, (_, fn) => [placesOf(tree, fn, 0), placesOf(tree, fn, 1)]),
      search: [search.matches, search.marks, search.functionCount, search.frameCount, search.isLeast],
      matched: searchTree(whole, "main").values,
      widest: [...matchesByWidth(tree, search)].slice(0, 50),
      folded: [...foldedLines(tree)],
      exports: [Buffer.from(pprofBytes(stacks, "t")).toString("base64"), speedscopeJson(stacks, "t")],
      page: pageOf(tree),
      runs: Array.from({ length: 20 }, (_, node) => runText(tree, node, -1)),
      rows: callRows(tree, 0, new Set([0, 1, 2, 3])),
    });
  });
});

/** Without the sums over all frames, with which a search is exact for one function. */
function withoutSums(tree: CallTree): CallTree {
  return { ...tree, columns: tree.columns.map(({ allFrames: _, ...column }) => column) };
}

const changeFields = ([before, after]: ReturnType<typeof totalsByColumn>) => [
  before!.self,
  after!.self,
  before!.total,
  after!.total,
  before!.frames,
];

function changeOrders(tree: CallTree) {
  const totals = totalsByColumn(tree);
  const columns = (["self", "total"] as const).flatMap(
    (value) =>
      [
        { value, of: 0 },
        { value, of: 1 },
        { value, of: 1, minus: 0 },
      ] as const,
  );
  return (["name", ...columns] as const).map((column) =>
    [true, false].map((isDescending) => sortedFunctions(tree, totals, column, isDescending)),
  );
}
