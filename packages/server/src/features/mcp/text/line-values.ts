/**
 * Values by source line, from a graph whose frames are lines: its functions are named `pkg.Func:12`.
 */
import { type CallTree, totalsByOwner } from "@flamekeep/flame";
import { applicationFlags, functionKey, truncatedName } from "@flamekeep/profile";

export interface LineOfFunction {
  readonly name: string;
  /** 0 where the profile has none. */
  readonly line: number;
}

export interface LineValue {
  readonly line: number;
  readonly self: number;
  /** With what the line calls. */
  readonly total: number;
}

/** The function and the line of a name in a graph of lines. */
export function lineOfName(name: string): LineOfFunction {
  const at = name.lastIndexOf(":");
  const line = name.slice(at + 1);
  return at === -1 || !/^\d+$/.test(line)
    ? { name, line: 0 }
    : { name: name.slice(0, at), line: Number(line) };
}

/** By `functionKey`: the lines of each function, those with the largest total first. Self values as in lists of functions. */
export function linesByFunction(
  tree: CallTree,
  profileType: string,
): ReadonlyMap<string, readonly LineValue[]> {
  const { functions } = tree;
  const { self, total, frames } = totalsByOwner(tree, profileType)[0]!;
  const lines = new Map<string, LineValue[]>();
  for (let id = 1; id < functions.length; id++) {
    const { name, line } = lineOfName(functions.name[id]!);
    if (frames[id] === 0 || line === 0 || name === truncatedName) continue;
    const key = functionKey(name, functions.file[id]!, functions.startLine[id]!);
    const found = lines.get(key);
    const value = { line, self: self[id]!, total: total[id]! };
    if (found === undefined) lines.set(key, [value]);
    else found.push(value);
  }
  for (const each of lines.values()) each.sort((a, b) => b.total - a.total || a.line - b.line);
  return lines;
}

/** Further lines of a function have too little to matter. */
const comparedMax = 40;
/** Where the lines with this share of the earlier value are still there, the code has not moved. */
const sameNumbersMin = 0.9;
const differenceCost = 0.2;
const commonMin = 0.05;

interface PairedLine {
  readonly line: number;
  readonly before: number;
  readonly after: number;
}

type LineValues = ReadonlyMap<number, number>;

/** By line of the later side: its value, and that of the same line before. Lines move when code is inserted above them. */
export function pairedLines(before: LineValues, after: LineValues): readonly PairedLine[] {
  const kept = [...before].filter(([line]) => after.has(line));
  if (sumOf(kept) < sameNumbersMin * sumOf([...before])) return alignedLines(largest(before), largest(after));
  return Array.from(after, ([line, value]) => ({ line, before: before.get(line) ?? 0, after: value }));
}

type Entries = readonly (readonly [line: number, value: number])[];

function sumOf(lines: Entries): number {
  return lines.reduce((sum, [, value]) => sum + value, 0);
}

/** Those in the same order that have the most value in common are the same. */
function alignedLines(earlier: Entries, later: Entries): readonly PairedLine[] {
  const common = (i: number, j: number) => {
    const [a, b] = [earlier[i]![1], later[j]![1]];
    return Math.max(commonMin * Math.min(a, b), Math.min(a, b) - differenceCost * Math.abs(a - b));
  };
  // best[i][j]: the most value that the lines from i and from j on have in common.
  const best = Array.from({ length: earlier.length + 1 }, () => new Float64Array(later.length + 1));
  for (let i = earlier.length - 1; i >= 0; i--)
    for (let j = later.length - 1; j >= 0; j--)
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, best[i + 1]![j + 1]! + common(i, j));
  let i = 0;
  return later.map(([line, value], j) => {
    while (i < earlier.length && best[i]![j] === best[i + 1]![j]) i++;
    const isPaired = i < earlier.length && best[i]![j]! > best[i]![j + 1]!;
    return { line, before: isPaired ? earlier[i++]![1] : 0, after: value };
  });
}

/** By number. */
function largest(lines: LineValues): Entries {
  return [...lines]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, comparedMax)
    .toSorted(([a], [b]) => a - b);
}

/**
 * By `functionKey` and line: the values of the functions of the application, each with the libraries that it calls up to the next function
 * of the application. A graph without all of its frames has them as a part of their callers.
 */
export function ownLines({
  functions,
  fn,
  parent,
  total,
  firstChild,
  length,
}: CallTree): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const lines = functions.name.map(lineOfName);
  const isOwn = applicationFlags(
    lines.map(({ name }) => name),
    functions.file,
  );
  const owner = new Uint32Array(length);
  const values = new Float64Array(functions.length);
  for (let node = 1; node < length; node++) {
    owner[node] = isOwn[fn[node]!] === 1 ? fn[node]! : owner[parent[node]!]!;
    let rest = total[node]!;
    for (let child = firstChild[node]!; child < firstChild[node + 1]!; child++) rest -= total[child]!;
    values[owner[node]!]! += rest;
  }
  const byFunction = new Map<string, Map<number, number>>();
  for (let id = 1; id < functions.length; id++) {
    if (values[id]! === 0) continue;
    const { name, line } = lines[id]!;
    const key = functionKey(name, functions.file[id]!, functions.startLine[id]!);
    const found = byFunction.get(key) ?? new Map<number, number>();
    byFunction.set(key, found.set(line, (found.get(line) ?? 0) + values[id]!));
  }
  return byFunction;
}
