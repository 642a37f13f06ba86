import { findSampleType } from "@flamekeep/contract";
import {
  type CallTree,
  elisionOf,
  formatPercent,
  fullNames,
  type Hit,
  isRounded,
  levelOf,
  shownName,
  truncatedName,
  wholeOf,
} from "@flamekeep/flame";
import { type Measure, measureText, threeDigits } from "#format/measure.ts";
import { exactCount } from "#format/number.ts";
import { namedSampleMeasure } from "#format/sample-value.ts";

/** Formatted details of a frame. */
export interface FrameText {
  readonly name: string;
  readonly total: Measure;
  readonly totalPercent: string;
  readonly self: Measure;
  readonly selfPercent: string;
  /** Number of samples, objects or contentions under the frame. */
  readonly count: string;
  /** Label of `count`: Samples, Objects or Contentions. */
  readonly countName: string;
  /** Package, `file:line` and share of the caller, or the meaning of a frame that is not from the program. */
  readonly about: string;
}

export function valueMeasure({ valueType }: CallTree, value: number): Measure {
  return namedSampleMeasure(value, valueType.type, valueType.unit);
}

/** Go's heap profiles count objects and its contention profiles count contentions in addition to their values. */
function countNameOf({ valueType }: CallTree): string {
  if (/^(inuse|alloc)_/.test(valueType.type)) return "Objects";
  return /^(delay|contentions)$/.test(valueType.type) ? "Contentions" : "Samples";
}

export function frameText(tree: CallTree, node: number): FrameText {
  const { functions } = tree;
  const fn = tree.fn[node]!;
  const whole = wholeOf(tree);
  return {
    name: shownName(fullNames(functions)[fn]!),
    total: valueMeasure(tree, tree.total[node]!),
    totalPercent: formatPercent(tree.total[node]!, whole),
    self: valueMeasure(tree, tree.self[node]!),
    selfPercent: formatPercent(tree.self[node]!, whole),
    // Means over several profiles have decimals.
    count: threeDigits(tree.samples[node]!),
    countName: countNameOf(tree),
    about: about(tree, node, [
      shownName(functions.packageName[fn]!),
      placeText(functions.file[fn]!, tree.line[node]!, functions.startLine[fn]!),
      shareOfCaller(tree, node),
    ]),
  };
}

/**
 * `seal.go:16` is always the line that ran. A frame of several lines names its function: `seal.go, function at line 12`.
 *
 * @param ranLine 0 if unknown
 * @param startLine 0 if unknown
 */
function placeText(file: string, ranLine: number, startLine: number): string {
  if (file === "") return "";
  if (ranLine > 0) return shownName(`${file}:${ranLine}`);
  return startLine > 0 ? `${shownName(file)}, function at line ${startLine}` : shownName(file);
}

/** `12.3% of its caller`; empty for the first frames of the stacks, whose share of the whole is the same. */
function shareOfCaller(tree: CallTree, node: number): string {
  const caller = tree.parent[node]!;
  return caller < 1 ? "" : `${formatPercent(tree.total[node]!, tree.total[caller]!)} of its caller`;
}

/** `120 samples · 1.2 s (12.3%)` */
export function frameSummary(tree: CallTree, node: number): string {
  const { count, countName, total, totalPercent } = frameText(tree, node);
  return `${count} ${countName.toLowerCase()} · ${measureText(total)} (${totalPercent})`;
}

function about(tree: CallTree, node: number, facts: readonly string[]): string {
  if (node === 0) {
    const sampleType = findSampleType(tree.valueType.type);
    const meaning = sampleType?.unit === tree.valueType.unit ? sampleType.total : undefined;
    const total = meaning && `${measureText(valueMeasure(tree, tree.total[0]!))} ${meaning}`;
    const samples = total ?? (tree.whole === undefined ? "The whole graph" : "After transforms");
    return isRounded(tree) ? `${samples}, values rounded to 15 digits` : samples;
  }
  const name = tree.functions.name[tree.fn[node]!]!;
  if (name === truncatedName) return tree.parent[node] === 0 ? keptInnermost : keptOutermost;
  return facts.filter(Boolean).join(" · ") || "package and file unknown";
}

const keptInnermost = "The profiler kept only the innermost frames of these stacks";
const keptOutermost = "These stacks are too deep: the frames called from here were left out";

/** `1,234 small frames left out, 0.8% of total, the widest of them runtime.memmove`. */
export function elidedText(tree: CallTree, parent: number): string {
  const { elisions, functions } = tree;
  const row = elisionOf(tree, parent);
  if (row === -1) return "";
  const count = exactCount(elisions.count[row]!);
  const share = formatPercent(elisions.total[row]!, wholeOf(tree));
  const largest = shownName(fullNames(functions)[elisions.largest[row]!]!);
  return `${count} small frames left out, ${share} of total, the widest of them ${largest}`;
}

/** A frame in a sentence, for screen readers. */
export function spokenFrame(tree: CallTree, node: number): string {
  const text = frameText(tree, node);
  const levels = tree.levelStart.length - 1;
  return `${text.name}, ${text.totalPercent} total, ${text.selfPercent} self, level ${levelOf(tree, node) + 1} of ${levels}`;
}

export function nodeOf(hit: Hit): number {
  return hit.kind === "frame" ? hit.node : hit.parent;
}
