// Draws the flame graphs of the guide from recorded profiles, as the app exports them: docs/images/flame/*.svg. And merges
// the recorded CPU profiles of a service for the landing page of a server without the demo.
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { gunzipSync } from "node:zlib";
import {
  BoxList,
  buildCallTree,
  buildComparison,
  type CallTree,
  encodeFlameGraph,
  formatPercent,
  formatValue,
  layOut,
  listVisibleBoxes,
  type NodeValues,
  nodeColours,
  paletteOf,
  pruneTree,
  type Theme,
  toSvg,
  viewportOf,
} from "@flamekeep/flame";
import { changePalette, selfChangeColours, shareScale } from "@flamekeep/flame/compare";
import { chainOf, transformTree } from "@flamekeep/flame/transform";
import {
  defaultLimits,
  mergeStacks,
  pairStacks,
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
  /** Steps, as in a link. */
  readonly transforms?: string;
}

const bakery = (name: string) => `recordings/go1.26/${name}.pb.gz`;
const drawings: readonly Drawing[] = [
  { name: "cpu", profile: bakery("cpu"), sampleType: "cpu", maxNodes: 60 },
  { name: "inverted", profile: bakery("cpu"), sampleType: "cpu", maxNodes: 60, transforms: "invert" },
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

function treeOf({ profile, sampleType, maxNodes, transforms = "" }: Drawing): CallTree {
  const read = readStacks(gunzipSync(readFileSync(`${root}examples/${profile}`)));
  if (!read.ok) throw new Error(`${profile}: ${read.error.message}`);
  const { sampleTypes, stacks } = read.profile;
  const column = sampleTypes.findIndex(({ type }) => type === sampleType);
  if (column === -1) throw new Error(`${profile} has no ${sampleType}`);
  return pruneTree(transformTree(buildCallTree(stacks, column), chainOf(transforms)), { maxNodes });
}

/** @param fillOf the color of a frame */
function draw(
  tree: CallTree,
  theme: Theme,
  fillOf: (node: number) => string,
  title: string,
  tooltipOf?: (node: number) => string,
): string {
  const boxes = new BoxList();
  listVisibleBoxes(
    tree,
    { ...viewportOf(tree, 0), widthPx, firstRow: 0, lastRow: tree.levelStart.length },
    boxes,
  );
  const { elided, ...look } = colours[theme];
  const colourOf = (box: number) => {
    const node = boxes.node[box]!;
    return node === -1 ? elided : fillOf(node);
  };
  return toSvg({ layers: [{ tree, boxes, colourOf, tooltipOf }], widthPx, title, ...look });
}

function save(name: string, drawn: (theme: Theme) => string): void {
  for (const theme of ["light", "dark"] as const) {
    const svg = drawn(theme);
    writeFileSync(`${folder}/${name}-${theme}.svg`, svg);
    process.stdout.write(`${name}-${theme}.svg ${svg.length} bytes\n`);
  }
}

mkdirSync(folder, { recursive: true });
for (const drawing of drawings) {
  const tree = treeOf(drawing);
  const colourOf = nodeColours(tree, "package");
  const title = `${tree.valueType.type}: ${formatValue(tree.total[0]!, tree.valueType.unit)}`;
  save(drawing.name, (theme) => {
    const palette = paletteOf("package", theme);
    return draw(tree, theme, (node) => palette[colourOf(node)]!, title);
  });
}

/** The recorded CPU profiles of the shop's checkout, merged. */
function checkout(release: "before" | "after"): StackTable {
  const files = globSync(`examples/shop/recorded/checkout/${release}/*cpu*.pb.gz`, { cwd: root }).sort();
  const tables = files.map((file): StackTable => {
    const read = readProfile(gunzipSync(readFileSync(root + file)), defaultLimits);
    if (!read.ok) throw new Error(`${file}: ${read.error.message}`);
    return sumStacks(read.profile);
  });
  return mergeStacks(tables);
}

const cpuColumnOf = ({ sampleTypes }: StackTable) => sampleTypes.findIndex(({ type }) => type === "cpu");

/** Each side as a share of its own total: the recordings have different lengths. */
function drawComparison(): void {
  const [before, after] = [checkout("before"), checkout("after")];
  const pairs = pairStacks(
    { stacks: before, sampleType: cpuColumnOf(before) },
    { stacks: after, sampleType: cpuColumnOf(after) },
  );
  const whole = buildComparison(pairs);
  const scale = shareScale(whole);
  const tree = layOut(pruneTree(layOut(whole, scale), { maxNodes: 70 }), scale);
  const stepOf = selfChangeColours(tree, "cpu");
  const [left, right] = tree.columns;
  save("comparison", (theme) => {
    const palette = changePalette(theme);
    const share = ({ total }: NodeValues, node: number) => formatPercent(total[node]!, total[0]!);
    const tooltipOf = (node: number) =>
      `${tree.functions.name[tree.fn[node]!]}: ${share(left!, node)} before, ${share(right!, node)} after`;
    const title = "cpu: before and after v1.9.0, by share";
    return draw(tree, theme, (node) => palette[stepOf(node)]!, title, tooltipOf);
  });
}

drawComparison();

/** The columns that the app decodes, of all recordings of one service before its release. */
function writeLandingGraph(): void {
  const merged = checkout("before");
  const whole = buildCallTree(merged, cpuColumnOf(merged));
  const tree = pruneTree(whole, { maxNodes: 1500, hasAllFrames: true });
  const meta = {
    profileId: "checkout/cpu",
    totalSamples: tree.total[0]!,
    durationMs: 0,
    profileHash: "recorded",
  };
  const bytes = encodeFlameGraph(tree, meta);
  writeFileSync(`${root}packages/web/src/demo-graph/checkout-cpu.bin`, bytes);
  process.stdout.write(`checkout-cpu.bin ${bytes.length} bytes\n`);
}

writeLandingGraph();
