import { categoryOf, isWaitingPackage, isWaitingType, truncatedName } from "@flamekeep/profile";
import { packagesOf } from "./all-frames.ts";
import type { AllFrames, CallTree, FunctionTotals, Scale, TreeValue } from "./call-tree.ts";

export type { FunctionTotals };

/** Sums all frames of the graph by function, or the tree's frames below a node. */
export function functionTotals(tree: CallTree, root = 0, column = 0): FunctionTotals {
  return (root === 0 ? tree.columns[column].allFrames : undefined) ?? sumsBelow(tree, root, column);
}

/** As `functionTotals`, for each column. */
export function totalsByColumn(tree: CallTree, root = 0): readonly FunctionTotals[] {
  return tree.columns.map((_, column) => functionTotals(tree, root, column));
}

/** As `totalsByColumn` of the whole tree. Self values of types that wait are those of `selfByOwner`. */
export function totalsByOwner(tree: CallTree, profileType: string): readonly FunctionTotals[] {
  const totals = totalsByColumn(tree);
  if (!isWaitingType(profileType)) return totals;
  return totals.map((sums, column) => ({ ...sums, self: selfByOwner(tree, column) }));
}

/** Walks the subtree once in depth-first order and counts how often each function is on the path. */
function sumsBelow(
  { columns, firstChild, fn, functions, parent }: SummedTree,
  root: number,
  column: number,
): FunctionTotals {
  const values = columns[column];
  const self = new Float64Array(functions.length);
  const total = new Float64Array(functions.length);
  const frames = new Uint32Array(functions.length);
  const open = new Uint32Array(functions.length);
  let node = root;
  for (;;) {
    const id = fn[node];
    if (open[id] === 0) total[id] = total[id] + values.total[node];
    self[id] += values.self[node];
    frames[id]++;
    open[id]++;
    if (firstChild[node] < firstChild[node + 1]) {
      node = firstChild[node];
      continue;
    }
    for (;;) {
      open[fn[node]] = open[fn[node]] - 1;
      if (node === root) return { self, total, frames };
      const above = parent[node];
      if (node + 1 < firstChild[above + 1]) break;
      node = above;
    }
    node++;
  }
}

type SummedTree = Pick<CallTree, "columns" | "firstChild" | "fn" | "parent"> & {
  readonly functions: { readonly length: number };
};

/** A column of a table of functions: their names, or values of a column of the tree, or how much more these are than another's. */
export type FunctionColumn =
  | "name"
  | { readonly value: "self" | "total"; readonly of: number; readonly minus?: number };

/** Value of a function in a column of numbers, scaled. */
export function functionValue(
  totals: readonly FunctionTotals[],
  scale: Scale,
  { value, of, minus }: Exclude<FunctionColumn, "name">,
  fn: number,
): number {
  const valueIn = (column: number) => totals[column][value][fn] * scale[column];
  return minus === undefined ? valueIn(of) : valueIn(of) - valueIn(minus);
}

/**
 * Functions with a frame, sorted by a column; equal ones by name. Neither the root nor the placeholder of truncated stacks is a function.
 *
 * @param isPart whether the tree begins at a frame, whose function counts, instead of at the root
 */
export function sortedFunctions(
  tree: Pick<CallTree, "functions" | "scale">,
  totals: readonly FunctionTotals[],
  column: FunctionColumn,
  isDescending: boolean,
  isPart = false,
): Uint32Array {
  const { name, length } = tree.functions;
  const used: number[] = [];
  for (let fn = isPart ? 0 : 1; fn < length; fn++)
    if (totals[0].frames[fn] > 0 && name[fn] !== truncatedName) used.push(fn);
  const byName = (a: number, b: number) => (name[a] < name[b] ? -1 : name[a] > name[b] ? 1 : 0);
  const sign = isDescending ? -1 : 1;
  if (column === "name") return Uint32Array.from(used.sort((a, b) => sign * byName(a, b)));
  const values = Float64Array.from({ length }, (_, fn) => functionValue(totals, tree.scale, column, fn));
  return Uint32Array.from(used.sort((a, b) => sign * (values[a] - values[b]) || byName(a, b)));
}

/** Whether only one of two values is there, and else the sign of their difference. */
export type ChangeKind = "new" | "gone" | "more" | "less" | "same";

/** @param before scaled, as is `after` */
export function changeKind(before: number, after: number): ChangeKind {
  if (before === after) return "same";
  if (before === 0) return "new";
  if (after === 0) return "gone";
  return after > before ? "more" : "less";
}

/** A package with the value of the stacks through it. */
interface PackageTotal {
  readonly packageName: string;
  readonly total: TreeValue;
}

/** Packages by total value, largest first; each stack counts once per package. Functions without a package have an empty name. */
export function packageTotals(tree: CallTree): PackageTotal[] {
  const { names, ofFunction } = packagesOf(tree.functions);
  const { ofPackage, frames } = allFramesOf(tree);
  const totals = new Map<string, number>();
  for (const [fn, id] of ofFunction.entries()) {
    if (id > 0 && frames[fn] > 0) totals.set(names[id - 1], ofPackage[fn]);
  }
  return Array.from(totals, ([packageName, total]) => ({ packageName, total })).sort(
    (a, b) => b.total - a.total || (a.packageName < b.packageName ? -1 : 1),
  );
}

/** The sums over all frames of a graph. */
export function allFramesOf(tree: CallTree, column = 0): AllFrames {
  const { allFrames } = tree.columns[column];
  if (allFrames !== undefined) return allFrames;
  const { names, ofFunction } = packagesOf(tree.functions);
  const byPackage = {
    ...tree,
    functions: { length: names.length + 1 },
    fn: tree.fn.map((fn) => ofFunction[fn]),
  };
  const { total } = sumsBelow(byPackage, 0, column);
  const ofPackage = Float64Array.from(ofFunction, (id) => total[id]);
  return { ...sumsBelow(tree, 0, column), ofPackage, selfByOwner: selfByOwner(tree, column) };
}

/**
 * Self values by function over all frames of a graph, for types whose leaves wait: each belongs to the first function from the leaf that does
 * not wait for its caller, as in `callerOf`.
 */
export function selfByOwner(tree: CallTree, column = 0): Float64Array {
  const { allFrames } = tree.columns[column];
  if (allFrames !== undefined) return allFrames.selfByOwner;
  const { fn, functions, length } = tree;
  const self = selfOfOwners(tree, column);
  const sums = new Float64Array(functions.length);
  for (let node = 0; node < length; node++) sums[fn[node]] += self[node];
  return sums;
}

/**
 * The function with the largest self value in the whole graph, outside of the runtime and of packages that wait and schedule: there, a
 * self value says nothing about the program. @returns fn -1 if there is none
 */
export function hottestFunction(tree: CallTree): { readonly fn: number; readonly self: number } {
  const { self } = functionTotals(tree);
  const { file, name, packageName } = tree.functions;
  let hottest = { fn: -1, self: 0 };
  for (let fn = 1; fn < self.length; fn++) {
    if (self[fn] <= hottest.self || isWaitingPackage(packageName[fn])) continue;
    if (categoryOf(name[fn], file[fn]) !== "runtime") hottest = { fn, self: self[fn] };
  }
  return hottest;
}

/** Self values by node; those of types that wait are moved to the frame that waits, as `selfByOwner` does. */
export function selfByNode(tree: CallTree, column: number, profileType: string): Float64Array {
  return isWaitingType(profileType) ? selfOfOwners(tree, column) : tree.columns[column].self;
}

function selfOfOwners({ columns, fn, functions, length, parent }: CallTree, column: number): Float64Array {
  const { self } = columns[column];
  const waits = functions.packageName.map(isWaitingPackage);
  const truncated = functions.name.indexOf(truncatedName);
  const owner = new Uint32Array(length);
  const moved = new Float64Array(length);
  // Callers come before what they call.
  for (let node = 0; node < length; node++) {
    const caller = parent[node];
    const isMoved = caller > 0 && waits[fn[node]] && fn[caller] !== truncated;
    owner[node] = isMoved ? owner[caller] : node;
    moved[owner[node]] += self[node];
  }
  return moved;
}

/** A package with the self values of its functions. */
export interface PackageSelf {
  readonly packageName: string;
  readonly self: TreeValue;
}

/** The packages of functions with a value, the one with the largest self value first. Functions without a package are left out. */
export function packageSelfValues({ functions }: CallTree, { self, frames }: FunctionTotals): PackageSelf[] {
  const sums = new Map<string, number>();
  for (let fn = 1; fn < functions.length; fn++) {
    const packageName = functions.packageName[fn];
    if (frames[fn] > 0 && packageName !== "") sums.set(packageName, (sums.get(packageName) ?? 0) + self[fn]);
  }
  return [...sums]
    .map(([packageName, sum]) => ({ packageName, self: sum }))
    .sort((a, b) => b.self - a.self || (a.packageName < b.packageName ? -1 : 1));
}
