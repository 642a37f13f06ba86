import { type CallTree, fullNames, totalsByOwner } from "@flamekeep/flame";
import { explanationOf } from "@flamekeep/flame/compare";
import { applicationFlags, functionKey, matchFunctions, side, truncatedName } from "@flamekeep/profile";
import { placeText, printableName, quantityText } from "./quantity.ts";

interface Side {
  readonly totals: ReadonlyMap<string, FunctionTotal>;
  /** By the same keys. */
  readonly own: ReadonlyMap<string, number>;
  readonly total: number;
  /** Divisor of the values: seconds of profiling or profiles, or 1 for gauges. */
  readonly divisor: number;
}

interface Change {
  readonly name: string;
  readonly place: string;
  readonly before: number;
  readonly after: number;
  readonly selfBefore: number;
  readonly selfAfter: number;
  readonly ownBefore: number;
  readonly ownAfter: number;
}

/** Functions of the application come first: somebody can change them. */
const ownMax = 5;

/**
 * The changes between two ranges: the functions of the application, each with the libraries that it calls, then all functions by self
 * value, first those that grew, then those that shrank.
 */
export function changeText(
  before: Side,
  after: Side,
  { unit, count }: { unit: string; count: number },
): string {
  const changes = changesOf(before, after);
  const bySelf = (change: Change) => change.selfAfter - change.selfBefore;
  const grown = changes.filter((change) => bySelf(change) > 0).toSorted((a, b) => bySelf(b) - bySelf(a));
  const shrunk = changes.filter((change) => bySelf(change) < 0).toSorted((a, b) => bySelf(a) - bySelf(b));
  const byOwn = (change: Change) => change.ownAfter - change.ownBefore;
  const own = changes
    .filter((change) => byOwn(change) !== 0)
    .toSorted((a, b) => Math.abs(byOwn(b)) - Math.abs(byOwn(a)));
  const whole = [before.total / before.divisor, after.total / after.divisor] as const;
  return [
    `whole: ${quantityText(whole[0], unit)} -> ${quantityText(whole[1], unit)}${ratioText(...whole)}`,
    ...explanationLines(changes.map(bySelf)),
    "",
    "code of the application that changed most (each with the libraries that it calls):",
    ...ownLinesOf(own.slice(0, ownMax), unit),
    "",
    "grew most (self value, then total):",
    ...linesOf(grown.slice(0, count), unit),
    "",
    "shrank most:",
    ...linesOf(shrunk.slice(0, count), unit),
  ].join("\n");
}

/** The functions that explain the change; no line where no self value changed. */
function explanationLines(changes: readonly number[]): readonly string[] {
  const sizes = changes.map(Math.abs).filter((size) => size > 0);
  const { count, share } = explanationOf(sizes.toSorted((a, b) => b - a));
  if (sizes.length === 0) return [];
  if (count === 0)
    return [`explained: by none of ${sizes.length} changed functions, each is less than 5% of the change`];
  const functions = `${count} of ${sizes.length} changed functions`;
  return [
    `explained: ${functions} ${count === 1 ? "is" : "are"} ${Math.round(100 * share)}% of the change of self values`,
  ];
}

/** The functions of both sides; those of two builds in different folders are the same. */
function pairsOf(
  before: Side,
  after: Side,
): (readonly [FunctionTotal | undefined, FunctionTotal | undefined])[] {
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

function changesOf(before: Side, after: Side): readonly Change[] {
  const pairs = pairsOf(before, after);
  const functions = pairs.map(([earlier, later]) => (later ?? earlier)!);
  const names = fullNames({
    name: functions.map(({ name }) => name),
    file: functions.map(({ file }) => file),
    startLine: Int32Array.from(functions, ({ startLine }) => startLine),
  });
  const ownOf = (of: Side, found: FunctionTotal | undefined) =>
    found === undefined ? 0 : (of.own.get(functionKey(found.name, found.file, found.startLine)) ?? 0);
  return pairs.map(([earlier, later], at) => {
    return {
      name: names[at]!,
      place: placeText((later ?? earlier)!.file, (later ?? earlier)!.line),
      before: (earlier?.total ?? 0) / before.divisor,
      after: (later?.total ?? 0) / after.divisor,
      ownBefore: ownOf(before, earlier) / before.divisor,
      ownAfter: ownOf(after, later) / after.divisor,
      selfBefore: (earlier?.self ?? 0) / before.divisor,
      selfAfter: (later?.self ?? 0) / after.divisor,
    };
  });
}

function ownLinesOf(changes: readonly Change[], unit: string): readonly string[] {
  if (changes.length === 0) return ["  none"];
  return changes.map(({ name, place, before, after, ownBefore, ownAfter }) => {
    const own = `${quantityText(ownBefore, unit)} -> ${quantityText(ownAfter, unit)}`;
    return `  ${printableName(name)}${place}: ${own}${newsText(before, after)}`;
  });
}

function newsText(before: number, after: number): string {
  if (before === 0) return " (new)";
  return after === 0 ? " (gone)" : "";
}

function linesOf(changes: readonly Change[], unit: string): readonly string[] {
  if (changes.length === 0) return ["  none"];
  return changes.map(({ name, before, after, selfBefore, selfAfter }) => {
    const self = `${quantityText(selfBefore, unit)} -> ${quantityText(selfAfter, unit)}`;
    const total = `${quantityText(before, unit)} -> ${quantityText(after, unit)}`;
    return `  ${printableName(name)}: self ${self}; total ${total}${newsText(before, after)}`;
  });
}

function ratioText(before: number, after: number): string {
  if (before === 0) return "";
  const percent = ((after - before) / before) * 100;
  return ` (${percent >= 0 ? "+" : ""}${percent.toFixed(1)}%)`;
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

/**
 * The values of the functions of the application by `functionKey`, each with the libraries that it calls up to the next function of the
 * application. A graph without all of its frames has them as a part of their callers.
 */
export function ownTotals({
  functions,
  fn,
  parent,
  total,
  firstChild,
  length,
}: CallTree): Map<string, number> {
  const isOwn = applicationFlags(functions.name, functions.file);
  const owner = new Uint32Array(length);
  const values = new Float64Array(functions.length);
  for (let node = 1; node < length; node++) {
    owner[node] = isOwn[fn[node]!] === 1 ? fn[node]! : owner[parent[node]!]!;
    let rest = total[node]!;
    for (let child = firstChild[node]!; child < firstChild[node + 1]!; child++) rest -= total[child]!;
    values[owner[node]!]! += rest;
  }
  const totals = new Map<string, number>();
  for (let id = 1; id < functions.length; id++) {
    if (values[id]! === 0) continue;
    totals.set(functionKey(functions.name[id]!, functions.file[id]!, functions.startLine[id]!), values[id]!);
  }
  return totals;
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
