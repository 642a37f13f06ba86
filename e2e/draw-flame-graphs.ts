// Draws the flame graphs of the guide from recorded profiles, as the app exports them: docs/images/flame/*.svg. And merges
// the recorded CPU profiles of a service for the landing page of a server without the demo.
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { gunzipSync } from "node:zlib";
import {
  BoxList,
  buildCallTree,
  type CallTree,
  encodeFlameGraph,
  formatValue,
  listVisibleBoxes,
  nodeColours,
  paletteOf,
  pruneTree,
  type Theme,
  toSvg,
  viewportOf,
} from "@flamekeep/flame";
import {
  defaultLimits,
  mergeStacks,
  readProfile,
  readStacks,
  type StackTable,
  sumStacks,
} from "@flamekeep/profile";
import { root } from "./harness/start-flamekeep.ts";

interface Drawing {
  readonly name: string;
  /** Relative to examples/. */
  readonly profile: string;
  readonly sampleType: string;
  readonly maxNodes: number;
}

const bakery = (name: string) => `recordings/go1.26/${name}.pb.gz`;
const drawings: readonly Drawing[] = [
  { name: "cpu", profile: bakery("cpu"), sampleType: "cpu", maxNodes: 60 },
  { name: "heap-inuse", profile: bakery("heap"), sampleType: "inuse_space", maxNodes: 40 },
  { name: "heap-allocated", profile: bakery("allocs"), sampleType: "alloc_space", maxNodes: 50 },
  { name: "goroutine", profile: bakery("goroutine"), sampleType: "goroutine", maxNodes: 60 },
  { name: "mutex", profile: bakery("mutex"), sampleType: "delay", maxNodes: 40 },
  { name: "block", profile: bakery("block"), sampleType: "delay", maxNodes: 50 },
];

const folder = `${root}docs/images/flame`;
const widthPx = 760;
const colours: Readonly<Record<Theme, { background: string; ink: string; elided: string }>> = {
  light: { background: "#ffffff", ink: "#1b1815", elided: "#d8d3cb" },
  dark: { background: "#1a1715", ink: "#eeebe7", elided: "#3d3834" },
};

function treeOf({ profile, sampleType, maxNodes }: Drawing): CallTree {
  const read = readStacks(gunzipSync(readFileSync(`${root}examples/${profile}`)));
  if (!read.ok) throw new Error(`${profile}: ${read.error.message}`);
  const { sampleTypes, stacks } = read.profile;
  const column = sampleTypes.findIndex(({ type }) => type === sampleType);
  if (column === -1) throw new Error(`${profile} has no ${sampleType}`);
  return pruneTree(buildCallTree(stacks, column), { maxNodes });
}

function draw(tree: CallTree, theme: Theme): string {
  const boxes = new BoxList();
  listVisibleBoxes(
    tree,
    { ...viewportOf(tree, 0), widthPx, firstRow: 0, lastRow: tree.levelStart.length },
    boxes,
  );
  const palette = paletteOf("heat", theme);
  const colourOf = nodeColours(tree, "heat");
  const left = colours[theme];
  const fillOf = (box: number) => {
    const node = boxes.node[box]!;
    return node === -1 ? left.elided : palette[colourOf(node)]!;
  };
  return toSvg({
    layers: [{ tree, boxes, colourOf: fillOf }],
    widthPx,
    title: `${tree.valueType.type}: ${formatValue(tree.total[0]!, tree.valueType.unit)}`,
    ...left,
  });
}

mkdirSync(folder, { recursive: true });
for (const drawing of drawings) {
  const tree = treeOf(drawing);
  for (const theme of ["light", "dark"] as const) {
    const svg = draw(tree, theme);
    writeFileSync(`${folder}/${drawing.name}-${theme}.svg`, svg);
    process.stdout.write(`${drawing.name}-${theme}.svg ${svg.length} bytes\n`);
  }
}

/** The columns that the app decodes, of all recordings of one service before its release. */
function writeLandingGraph(): void {
  const files = globSync("examples/shop/recorded/checkout/before/*cpu*.pb.gz", { cwd: root }).sort();
  const tables = files.map((file): StackTable => {
    const read = readProfile(gunzipSync(readFileSync(root + file)), defaultLimits);
    if (!read.ok) throw new Error(`${file}: ${read.error.message}`);
    return sumStacks(read.profile);
  });
  const merged = mergeStacks(tables);
  const column = merged.sampleTypes.findIndex(({ type }) => type === "cpu");
  const tree = pruneTree(buildCallTree(merged, column), { maxNodes: 1500 });
  const meta = {
    profileId: "checkout/cpu",
    totalSamples: tree.total[0]!,
    durationMs: 0,
    profileHash: "recorded",
  };
  const bytes = encodeFlameGraph(tree, meta);
  writeFileSync(`${root}packages/web/src/demo-graph/checkout-cpu.bin`, bytes);
  process.stdout.write(`checkout-cpu.bin of ${files.length} profiles, ${bytes.length} bytes\n`);
}

writeLandingGraph();
