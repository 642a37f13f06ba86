/** The functions of two graphs side by side. */
import { type CallTree, fullNames, totalsByOwner } from "@flamekeep/flame";
import {
  applicationFlags,
  functionKey,
  matchFunctions,
  side,
  sourcePath,
  truncatedName,
} from "@flamekeep/profile";
import type { LineValue } from "./line-values.ts";

export interface Side {
  readonly totals: ReadonlyMap<string, FunctionTotal>;
  /** By the same keys, and by line: see `ownLines`. */
  readonly own: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** By the same keys: see `linesByFunction`. */
  readonly lines: ReadonlyMap<string, readonly LineValue[]>;
  readonly total: number;
  /** Divisor of the values: seconds of profiling or profiles, or 1 for gauges. */
  readonly divisor: number;
}

interface FunctionTotal {
  readonly name: string;
  readonly file: string;
  /** Of its widest place; where the graph does not have it, or callers differ, the first line of the function. */
  readonly line: number;
  readonly startLine: number;
  self: number;
  /** With all it calls; a recursive function counts once per stack. */
  total: number;
}

/** Values of a function or a line, as the divisors of the sides make them comparable. */
interface Pair {
  readonly before: number;
  readonly after: number;
}

export interface Change {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly total: Pair;
  readonly self: Pair;
  /** With the libraries that it calls. */
  readonly own: Pair;
  /** The earlier place of a function that has moved: its file, with its name where that differs. */
  readonly movedFrom: string | undefined;
  /** Values by line, of each side. */
  readonly ownLines: LinesOfSides;
  readonly totalLines: LinesOfSides;
  /** Whether it is code of the application. */
  readonly isOwn: boolean;
}

interface LinesOfSides {
  readonly before: ReadonlyMap<number, number>;
  readonly after: ReadonlyMap<number, number>;
}

export function growth({ before, after }: Pair): number {
  return after - before;
}

type Pairing = readonly [FunctionTotal | undefined, FunctionTotal | undefined];

export function changesOf(before: Side, after: Side): readonly Change[] {
  const pairs = withRenamed(pairsOf(before, after), before.divisor / after.divisor);
  const functions = pairs.map(([earlier, later]) => (later ?? earlier)!);
  const names = fullNames({
    name: functions.map(({ name }) => name),
    file: functions.map(({ file }) => file),
    startLine: Int32Array.from(functions, ({ startLine }) => startLine),
  });
  const isOwn = applicationFlags(
    functions.map(({ name }) => name),
    functions.map(({ file }) => file),
  );
  return pairs.map(([earlier, later], at) => {
    const value = (of: "self" | "total") => ({
      before: (earlier?.[of] ?? 0) / before.divisor,
      after: (later?.[of] ?? 0) / after.divisor,
    });
    const ownLines = { before: ownOf(before, earlier), after: ownOf(after, later) };
    return {
      name: names[at]!,
      file: functions[at]!.file,
      line: functions[at]!.line,
      self: value("self"),
      total: value("total"),
      own: { before: sum(ownLines.before), after: sum(ownLines.after) },
      movedFrom: movedFrom(earlier, later),
      ownLines,
      totalLines: { before: totalsOf(before, earlier), after: totalsOf(after, later) },
      isOwn: isOwn[at] === 1,
    };
  });
}

/** The functions of both sides; those of two builds in different folders are the same. */
function pairsOf(before: Side, after: Side): readonly Pairing[] {
  const keys = [...new Set([...before.totals.keys(), ...after.totals.keys()])];
  const functions = keys.map((key) => (after.totals.get(key) ?? before.totals.get(key))!);
  const sides = Uint8Array.from(
    keys,
    (key) => (before.totals.has(key) ? side.before : 0) | (after.totals.has(key) ? side.after : 0),
  );
  const matched = matchFunctions(
    {
      name: functions.map(({ name }) => name),
      file: functions.map(({ file }) => file),
      startLine: functions.map(({ startLine }) => startLine),
    },
    sides,
  );
  const earlier = functions.map((_, at) => before.totals.get(keys[at]!));
  for (const [from, to] of matched.entries()) if (from !== to) earlier[to] = earlier[from];
  return keys.flatMap((key, at) =>
    matched[at] === at ? [[earlier[at], after.totals.get(key)] as const] : [],
  );
}

/** A function that is gone and a new one are the same if they alone have their name without its package, and about the same total. */
function withRenamed(pairs: readonly Pairing[], scale: number): readonly Pairing[] {
  const gone = bySimpleName(pairs.flatMap(([earlier, later]) => (later === undefined ? [earlier!] : [])));
  const added = bySimpleName(pairs.flatMap(([earlier, later]) => (earlier === undefined ? [later!] : [])));
  const renamed = new Map<FunctionTotal, FunctionTotal>();
  for (const [name, [to, ...others]] of added) {
    const [from, ...more] = gone.get(name) ?? [];
    if (from === undefined || others.length + more.length > 0) continue;
    const ratio = (to!.total * scale) / from.total;
    if (ratio > 1 / renamedRatioMax && ratio < renamedRatioMax) renamed.set(from, to!);
  }
  const targets = new Set(renamed.values());
  return pairs
    .filter(([earlier, later]) => earlier !== undefined || !targets.has(later!))
    .map(([earlier, later]) => [earlier, later ?? renamed.get(earlier!)]);
}

const renamedRatioMax = 2;

function bySimpleName(functions: readonly FunctionTotal[]): Map<string, FunctionTotal[]> {
  const named = functions.map((each) => [simpleName(each.name), each] as const);
  const groups = Map.groupBy(
    named.filter(([name]) => /^[\p{L}_]\w{2,}$/u.test(name) && !/^func\d+$/.test(name)),
    ([name]) => name,
  );
  return new Map([...groups].map(([name, group]) => [name, group.map(([, each]) => each)]));
}

/** The text after the last separator, read from the end: names are hostile input. */
function simpleName(name: string): string {
  let start = name.length;
  while (start > 0 && !"./:$#".includes(name[start - 1]!)) start--;
  return name.slice(start);
}

function movedFrom(earlier: FunctionTotal | undefined, later: FunctionTotal | undefined): string | undefined {
  if (earlier === undefined || later === undefined) return undefined;
  const file = pathEnd(earlier.file);
  if (earlier.name !== later.name) return file === "" ? earlier.name : `${earlier.name} in ${file}`;
  return file === "" || later.file === "" || file === pathEnd(later.file) ? undefined : file;
}

/** The folder and the name of a file: what is above may be the folder of a build. */
function pathEnd(file: string): string {
  return sourcePath(file).split("/").filter(Boolean).slice(-2).join("/");
}

function ownOf(of: Side, found: FunctionTotal | undefined): ReadonlyMap<number, number> {
  const lines = found === undefined ? undefined : of.own.get(keyOf(found));
  return new Map(Array.from(lines ?? [], ([line, value]) => [line, value / of.divisor]));
}

function totalsOf(of: Side, found: FunctionTotal | undefined): ReadonlyMap<number, number> {
  const lines = found === undefined ? undefined : of.lines.get(keyOf(found));
  return new Map(lines?.map(({ line, total }) => [line, total / of.divisor]));
}

function keyOf({ name, file, startLine }: FunctionTotal): string {
  return functionKey(name, file, startLine);
}

function sum(lines: ReadonlyMap<number, number>): number {
  return [...lines.values()].reduce((all, value) => all + value, 0);
}

/** By `functionKey`: self and total value of each function in a flame graph. Self values of a profile type that waits are those of `selfByOwner`. */
export function functionTotals(tree: CallTree, profileType: string): Map<string, FunctionTotal> {
  const { functions, fn, line } = tree;
  const { total, self, frames } = totalsByOwner(tree, profileType)[0]!;
  const lines = new Int32Array(functions.length);
  // Siblings are sorted by width, and levels follow each other: the first place of a function is a wide one.
  for (let node = tree.length - 1; node > 0; node--) lines[fn[node]!] = line[node]!;
  const totals = new Map<string, FunctionTotal>();
  for (let id = 1; id < functions.length; id++) {
    const [name, file, startLine] = [functions.name[id]!, functions.file[id]!, functions.startLine[id]!];
    if (frames[id] === 0 || name === truncatedName) continue;
    const line = lines[id]! || startLine;
    const sums = { name, file, line, startLine, self: self[id]!, total: total[id]! };
    totals.set(functionKey(name, file, startLine), sums);
  }
  return totals;
}
