import type { Fraction } from "@flamekeep/profile";
import type { FindingFunction } from "#rules/finding.ts";
import type { Language } from "#rules/language.ts";
import type { StackView } from "#rules/stack-view.ts";
import type { Subject } from "#rules/subject.ts";

/** The profile in few lines, for a reader that cannot see the flame graph. */
export interface Digest {
  readonly language: Language;
  /** `unknown` if neither the sender nor the profile says so. */
  readonly goVersion: string;
  /** Functions with the largest self value. */
  readonly topSelf: readonly FindingFunction[];
  /** Application functions with the largest total value. */
  readonly topTotal: readonly FindingFunction[];
  readonly hotPaths: readonly HotPath[];
  /** Lines of application code with what they cause, libraries that they call included. */
  readonly hotLines: readonly HotLine[];
}

export interface HotLine {
  /** The function that the line belongs to. */
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly share: Fraction;
}

interface HotPath {
  readonly share: Fraction;
  /** Root to leaf. */
  readonly names: readonly string[];
}

const functionsMax = 20;
const pathsMax = 10;
const linesMax = 12;

export function digestOf(subject: Subject): Digest {
  const view = subject.main;
  const totals = view.functions();
  const own = totals.filter(({ isApplication }) => isApplication).sort((a, b) => b.total - a.total);
  const frameOf = frames(view);
  const toEvidence = (fn: number) => view.evidenceOf(frameOf[fn]!);
  return {
    language: subject.language,
    goVersion: subject.goVersion,
    topSelf: totals.slice(0, functionsMax).map(({ fn }) => toEvidence(fn)),
    topTotal: own.slice(0, functionsMax).map(({ fn }) => toEvidence(fn)),
    hotPaths: hotPathsOf(view),
    hotLines: hotLinesOf(view),
  };
}

/** Each stack counts for the application frame nearest to its leaf. */
function hotLinesOf(view: StackView): HotLine[] {
  const { stacks, innermost } = view.index;
  const sums = new Map<number, number>();
  for (let stack = 0; stack < stacks.length; stack++) {
    const at = innermost[stack]!;
    if (at < 0 || view.weights[stack] === 0) continue;
    const frame = stacks.frame[at]!;
    sums.set(frame, (sums.get(frame) ?? 0) + view.weights[stack]!);
  }
  return [...sums]
    .sort((a, b) => b[1] - a[1])
    .map(([frame, weight]) => ({ ...view.evidenceOf(frame), share: view.shareOf(weight) }))
    .filter(({ file, line }) => file !== "" && line > 0)
    .slice(0, linesMax)
    .map(({ name, file, line, share }) => ({ name, file, line, share }));
}

/** A frame of each function: the heaviest would be better, but any names function and file. */
function frames({ index }: StackView): Uint32Array {
  const frameOf = new Uint32Array(index.names.length);
  for (const frame of index.stacks.frame) frameOf[index.functionOf[frame]!] = frame;
  return frameOf;
}

/** Stacks that differ only in lines are one path. */
function hotPathsOf(view: StackView): HotPath[] {
  const { stacks } = view.index;
  const sums = new Map<number, { stack: number; weight: number }>();
  for (let stack = 0; stack < stacks.length; stack++) {
    const weight = view.weights[stack]!;
    if (weight === 0) continue;
    const key = pathKey(view, stack);
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { stack, weight });
    else sum.weight += weight;
  }
  return [...sums.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, pathsMax)
    .map(({ stack, weight }) => ({ share: view.shareOf(weight), names: view.pathOf(stack) }));
}

/** A hash of 53 bits of a stack's functions: texts of all of them would take most of the analysis' time. */
function pathKey(view: StackView, stack: number): number {
  const { start } = view.index.stacks;
  let low = 0x9e3779b9 | 0;
  let high = 0x7f4a7c15;
  for (let at = start[stack]!; at < start[stack + 1]!; at++) {
    const fn = view.functionAt(at);
    low = Math.imul(low ^ fn, 0x85ebca6b);
    low ^= low >>> 15;
    high = Math.imul(high ^ (fn + low), 0xcc9e2d51);
    high ^= high >>> 13;
  }
  return (low >>> 0) * 2 ** 21 + (high & 0x1fffff);
}
