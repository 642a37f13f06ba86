import { isWaitingPackage, truncatedName } from "@flamekeep/profile";
import { packagesOf } from "#tree/all-frames.ts";
import type { AllFrames, CallTree, FunctionTotals, TreeValue } from "#tree/call-tree.ts";

export type { FunctionTotals };

/** Sums all frames of the graph by function, or the tree's frames below a node. */
export function functionTotals(tree: CallTree, root = 0): FunctionTotals {
  return root === 0 && tree.allFrames !== undefined ? tree.allFrames : sumsBelow(tree, root);
}

/** Walks the subtree once in depth-first order and counts how often each function is on the path. */
function sumsBelow(tree: CallTree, root: number): FunctionTotals {
  const { firstChild, fn, functions, parent } = tree;
  const self = new Float64Array(functions.length);
  const total = new Float64Array(functions.length);
  const frames = new Uint32Array(functions.length);
  const open = new Uint32Array(functions.length);
  let node = root;
  for (;;) {
    const id = fn[node];
    if (open[id] === 0) total[id] = total[id] + tree.total[node];
    self[id] += tree.self[node];
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

export type TotalsColumn = "name" | "self" | "total";

/** Functions with a value, sorted; neither the root nor the placeholder of truncated stacks is a function. */
export function sortedFunctions(
  tree: CallTree,
  totals: FunctionTotals,
  column: TotalsColumn,
  isDescending: boolean,
): Uint32Array {
  const { name } = tree.functions;
  const used: number[] = [];
  for (let fn = 1; fn < tree.functions.length; fn++) {
    if (totals.frames[fn] > 0 && name[fn] !== truncatedName) used.push(fn);
  }
  const byName = (a: number, b: number) => (name[a] < name[b] ? -1 : name[a] > name[b] ? 1 : 0);
  const sign = isDescending ? -1 : 1;
  const compare =
    column === "name"
      ? (a: number, b: number) => sign * byName(a, b)
      : (a: number, b: number) => sign * (totals[column][a] - totals[column][b]) || byName(a, b);
  return Uint32Array.from(used.sort(compare));
}

/** A package with the value of the stacks through it. */
export interface PackageTotal {
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
export function allFramesOf(tree: CallTree): AllFrames {
  if (tree.allFrames !== undefined) return tree.allFrames;
  const { names, ofFunction } = packagesOf(tree.functions);
  const packages = { ...tree.functions, length: names.length + 1 };
  const { total } = sumsBelow({ ...tree, functions: packages, fn: tree.fn.map((fn) => ofFunction[fn]) }, 0);
  const ofPackage = Float64Array.from(ofFunction, (id) => total[id]);
  return { ...sumsBelow(tree, 0), ofPackage, selfByOwner: selfByOwner(tree) };
}

/**
 * Self values by function over all frames of a graph, for types whose leaves wait: each belongs to the first function from the leaf that does
 * not wait for its caller, as in `callerOf`.
 */
export function selfByOwner(tree: OwnedTree): Float64Array {
  if (tree.allFrames !== undefined) return tree.allFrames.selfByOwner;
  const { fn, functions, length, parent, self } = tree;
  const waits = functions.packageName.map(isWaitingPackage);
  const truncated = functions.name.indexOf(truncatedName);
  const owner = fn.slice();
  const sums = new Float64Array(functions.length);
  // Callers come before what they call.
  for (let node = 0; node < length; node++) {
    const caller = parent[node];
    if (caller > 0 && waits[fn[node]] && fn[caller] !== truncated) owner[node] = owner[caller];
    sums[owner[node]] += self[node];
  }
  return sums;
}

type OwnedTree = Pick<CallTree, "allFrames" | "fn" | "functions" | "length" | "parent" | "self">;

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
