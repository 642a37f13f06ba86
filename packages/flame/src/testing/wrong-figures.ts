import { callerOf, packagesOfFunctions, type StackTable, truncatedName } from "@flamekeep/profile";
import {
  buildCallTree,
  type CallTree,
  decodeFlameGraph,
  encodeFlameGraph,
  functionTotals,
  isCut,
  packageTotals,
  placesOf,
  pruneTree,
  searchFunction,
  searchTree,
  selfByOwner,
} from "../index.ts";
import { sandwichTree } from "../transform.ts";
import { indexFunctions } from "../tree/function-index.ts";
import { truncatedStacks } from "../tree/truncated.ts";

/** A function's sums over all stacks, and the calls of its outermost frame. */
interface Truth {
  self: number;
  /** Self value of the stacks that wait for this function, as in `callerOf`. */
  owned: number;
  total: number;
  places: number;
  isRecursive: boolean;
  readonly callers: Map<string, number>;
  readonly callees: Map<string, number>;
}

/** The figures of a graph from its stacks alone, one stack after the other, without a call tree. */
interface StackFigures {
  readonly whole: number;
  readonly functions: ReadonlyMap<string, Truth>;
  readonly packages: ReadonlyMap<string, number>;
  /** Value of the stacks through any of the functions. */
  readonly through: (isWanted: (fn: string) => boolean) => number;
}

/** The key of the root, which is no function. */
const rootKey = "";

const keyOf = (name: string, file: string, startLine: number) => `${name}\n${file}\n${startLine}`;

export function figuresOfStacks(stacks: StackTable, sampleType: number): StackFigures {
  const { name, file, startLine, ofFrame } = indexFunctions(stacks.frames);
  const keys = name.map((each, id) => (id === 0 ? rootKey : keyOf(each, file[id]!, startLine[id]!)));
  const packageName = packagesOfFunctions(name, file);
  const truncated = truncatedStacks(stacks);
  const functions = new Map<string, Truth>();
  const packages = new Map<string, number>();
  const nodes = new Map<string, number>();
  const paths: { readonly keys: readonly string[]; readonly value: number }[] = [];
  const truthOf = (key: string): Truth => {
    const truth = functions.get(key) ?? newTruth();
    functions.set(key, truth);
    return truth;
  };
  let whole = 0;
  for (let stack = 0; stack < stacks.length; stack++) {
    const value = Number(stacks.values[sampleType]![stack]);
    if (value === 0) continue;
    whole += Math.abs(value);
    const frames = stacks.frame.subarray(stacks.start[stack], stacks.start[stack + 1]);
    const ids = Array.from(frames, (frame) => ofFrame[frame]!).reverse();
    const path = truncated?.[stack] === 1 ? [1, ...ids] : ids;
    const named = path.map((id) => keys[id]!);
    paths.push({ keys: named, value });
    countPlaces(path, nodes, (id) => truthOf(keys[id]!).places++);
    addPath(named, value, truthOf);
    const owner = callerOf(stacks, stack).frame;
    if (owner !== undefined) truthOf(keys[ofFrame[owner]!]!).owned += value;
    for (const each of new Set(path.map((id) => packageName[id]!))) add(packages, each, value);
  }
  const through = (isWanted: (fn: string) => boolean) =>
    paths.reduce((sum, { keys: path, value }) => sum + (path.some(isWanted) ? value : 0), 0);
  return { whole, functions, packages, through };
}

/** Calls back for each frame of a path that no path had before. */
function countPlaces(path: readonly number[], nodes: Map<string, number>, onNew: (id: number) => void): void {
  let node = 0;
  for (const id of path) {
    const step = `${node} ${id}`;
    if (!nodes.has(step)) {
      nodes.set(step, nodes.size + 1);
      onNew(id);
    }
    node = nodes.get(step)!;
  }
}

function addPath(path: readonly string[], value: number, truthOf: (key: string) => Truth): void {
  for (const [at, key] of path.entries()) {
    const truth = truthOf(key);
    if (at === path.length - 1) truth.self += value;
    if (path.indexOf(key) !== at) {
      truth.isRecursive = true;
      continue;
    }
    truth.total += value;
    const [caller, callee] = [path[at - 1], path[at + 1]];
    if (caller !== undefined) add(truth.callers, caller, value);
    if (callee !== undefined) add(truth.callees, callee, value);
  }
}

function newTruth(): Truth {
  return {
    self: 0,
    owned: 0,
    total: 0,
    places: 0,
    isRecursive: false,
    callers: new Map(),
    callees: new Map(),
  };
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

const meta = { profileId: "p", totalSamples: 0, durationMs: 0, profileHash: "h" };

/** A tree as a reply carries it to its reader. */
const received = (tree: CallTree) => decodeFlameGraph(encodeFlameGraph(tree, meta)).tree;

/** Functions whose selection, search and sandwich are looked at: the largest, and some of the smallest. */
function someFunctions({ functions }: StackFigures, count: number): string[] {
  const keys = [...functions]
    .filter(([key]) => !key.startsWith(`${truncatedName}\n`))
    .sort(([, a], [, b]) => b.total - a.total)
    .map(([key]) => key);
  return [...new Set([...keys.slice(0, count), ...keys.slice(-count)])];
}

/**
 * Where the figures of a graph differ from those of its stacks: the table, the legend, selected functions, searches and sandwiches. Looks at
 * the reply that the app reads, and at replies with at most `maxNodes` nodes, cut from the whole tree and built within the limit. A cut
 * reply may say that a search or a sandwich covers a part; it must not say less without a word.
 */
export function wrongFigures(
  stacks: StackTable,
  sampleType: number,
  cuts: readonly number[],
  truth = figuresOfStacks(stacks, sampleType),
): string[] {
  const whole = buildCallTree(stacks, sampleType);
  const wrong = wrongIn(received(whole), truth).map((line) => `whole: ${line}`);
  for (const maxNodes of cuts) {
    const pruned = received(pruneTree(whole, { maxNodes, hasAllFrames: true }));
    const built = received(buildCallTree(stacks, sampleType, maxNodes));
    wrong.push(...wrongIn(pruned, truth).map((line) => `cut at ${maxNodes}: ${line}`));
    wrong.push(...wrongIn(built, truth).map((line) => `built with ${maxNodes}: ${line}`));
  }
  return wrong;
}

function wrongIn(tree: CallTree, truth: StackFigures): string[] {
  const { functions } = tree;
  const keys = functions.name.map((name, fn) =>
    fn === 0 ? rootKey : keyOf(name, functions.file[fn]!, functions.startLine[fn]!),
  );
  const found = { tree, keys, idOf: new Map(keys.map((key, fn) => [key, fn])) };
  return [
    ...wrongTable(found, truth),
    ...wrongOwners(found, truth),
    ...wrongLegend(tree, truth),
    ...someFunctions(truth, 8).flatMap((key) => wrongSelection(found, truth, key)),
    ...wrongSearches(found, truth),
    ...(isCut(tree) ? [] : someFunctions(truth, 3).flatMap((key) => wrongCalls(found, truth, key))),
  ];
}

interface Found {
  readonly tree: CallTree;
  readonly keys: readonly string[];
  readonly idOf: ReadonlyMap<string, number>;
}

/** Sums of fractions and of values beyond 2^53 depend on their order in the last digits. */
function differ(a: number | undefined, b: number | undefined, { whole }: StackFigures): boolean {
  return Math.abs((a ?? 0) - (b ?? 0)) > 1e-9 * whole;
}

function wrongTable({ tree, keys, idOf }: Found, truth: StackFigures): string[] {
  const totals = functionTotals(tree);
  const wrong: string[] = [];
  for (const [key, { self, total, places }] of truth.functions) {
    const fn = idOf.get(key) ?? -1;
    const isSame = !differ(totals.self[fn], self, truth) && !differ(totals.total[fn], total, truth);
    if (fn === -1 || !isSame || totals.frames[fn] !== places)
      wrong.push(
        `${key}: ${totals.self[fn]}/${totals.total[fn]} in ${totals.frames[fn]} for ${self}/${total} in ${places}`,
      );
  }
  for (let fn = 1; fn < keys.length; fn++)
    if (totals.frames[fn]! > 0 && !truth.functions.has(keys[fn]!)) wrong.push(`${keys[fn]} is in no stack`);
  return wrong;
}

function wrongOwners({ tree, keys, idOf }: Found, truth: StackFigures): string[] {
  const owned = selfByOwner(tree);
  return keys
    .slice(1)
    .filter((key) => differ(owned[idOf.get(key)!], truth.functions.get(key)?.owned, truth))
    .map((key) => `${key} owns ${owned[idOf.get(key)!]} for ${truth.functions.get(key)?.owned}`);
}

function wrongLegend(tree: CallTree, truth: StackFigures): string[] {
  const found = new Map(packageTotals(tree).map(({ packageName, total }) => [packageName, total]));
  const names = new Set([...found.keys(), ...truth.packages.keys()]);
  return [...names]
    .filter((name) => !found.has(name) || differ(found.get(name), truth.packages.get(name), truth))
    .map((name) => `package ${name}: ${found.get(name)} for ${truth.packages.get(name)}`);
}

function wrongSelection({ tree, idOf }: Found, truth: StackFigures, key: string): string[] {
  const fn = idOf.get(key) ?? -1;
  const { self, total, places } = truth.functions.get(key)!;
  const sums = placesOf(tree, fn);
  const search = searchFunction(tree, fn);
  const [value] = search.values;
  const isSame =
    sums.count === places && !differ(sums.self, self, truth) && !differ(sums.total, total, truth);
  const isFound = !search.isLeast && search.frameCount === places && !differ(value, total, truth);
  return isSame && isFound
    ? []
    : [`selected ${key}: ${JSON.stringify(sums)}, found ${value} in ${search.frameCount}`];
}

function wrongSearches({ tree, keys }: Found, truth: StackFigures): string[] {
  const [widest = ""] = truth.packages.keys();
  const queries = ["e", "/a.*r/", "main", widest, "no such function"].filter((query) => query !== "");
  return queries.flatMap((query) => {
    const {
      matches,
      values: [value = 0],
      isLeast,
    } = searchTree(tree, query);
    const wanted = new Set(keys.filter((_, fn) => matches[fn] === 1));
    const expected = truth.through((key) => wanted.has(key));
    // With negative values, more stacks can have less.
    const isBelow =
      isLeast && isCut(tree) && (value <= expected + 1e-9 * truth.whole || tree.width !== tree.total);
    return isBelow || !differ(value, expected, truth) ? [] : [`search ${query}: ${value} for ${expected}`];
  });
}

function wrongCalls({ tree, keys }: Found, truth: StackFigures, key: string): string[] {
  const expected = truth.functions.get(key)!;
  const fn = keys.indexOf(key);
  const name = tree.functions.name[fn]!;
  // Sandwiches are of a name.
  if (tree.functions.name.filter((each) => each === name).length > 1) return [];
  const sides = sandwichTree(tree, { by: "function", text: name });
  const wrong = [sides.callers, sides.callees]
    .filter((side) => differ(side.total[1], expected.total, truth))
    .map((side) => `sandwich of ${key}: ${side.total[1]} for ${expected.total}`);
  if (expected.isRecursive) return wrong;
  for (const side of ["callers", "callees"] as const) {
    const found = callsIn(sides[side]);
    for (const other of new Set([...found.keys(), ...expected[side].keys()]))
      if (differ(found.get(other), expected[side].get(other), truth))
        wrong.push(`${side} of ${key}: ${other} ${found.get(other)} for ${expected[side].get(other)}`);
  }
  return wrong;
}

function callsIn(tree: CallTree): Map<string, number> {
  const { name, file, startLine } = tree.functions;
  const calls = new Map<string, number>();
  for (let node = tree.firstChild[1]!; node < tree.firstChild[2]!; node++) {
    const fn = tree.fn[node]!;
    add(calls, keyOf(name[fn]!, file[fn]!, startLine[fn]!), tree.total[node]!);
  }
  return calls;
}
