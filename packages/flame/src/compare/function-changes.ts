import { isWaitingType, truncatedName } from "@flamekeep/profile";
import { functionTotals, selfByOwner } from "#view/function-totals.ts";
import type { Scale } from "./comparison.ts";
import type { ComparedTree } from "./lay-out.ts";

/** Measured values per function of both sides, by function id. A recursive function counts once, at its outermost frame. */
export interface FunctionChanges {
  readonly selfBefore: Float64Array;
  readonly selfAfter: Float64Array;
  readonly totalBefore: Float64Array;
  readonly totalAfter: Float64Array;
  readonly frames: Uint32Array;
}

/** Sums the subtree of a node by function, for both sides. */
export function functionChanges(tree: ComparedTree, root = 0): FunctionChanges {
  const before = functionTotals({ ...tree, ...tree.before }, root);
  const after = functionTotals({ ...tree, ...tree.after }, root);
  return {
    selfBefore: before.self,
    selfAfter: after.self,
    totalBefore: before.total,
    totalAfter: after.total,
    frames: after.frames,
  };
}

/** As `functionChanges` of the whole tree. Self values of types that wait are those of `selfByOwner`. */
export function changesByOwner(tree: ComparedTree, profileType: string): FunctionChanges {
  const changes = functionChanges(tree);
  if (!isWaitingType(profileType)) return changes;
  return {
    ...changes,
    selfBefore: selfByOwner({ ...tree, ...tree.before }),
    selfAfter: selfByOwner({ ...tree, ...tree.after }),
  };
}

/** Whether a function is on one side only, and else the sign of the difference. */
export type ChangeKind = "new" | "gone" | "more" | "less" | "same";

/** @param before scaled, as is `after` */
export function changeKind(before: number, after: number): ChangeKind {
  if (before === after) return "same";
  if (before === 0) return "new";
  if (after === 0) return "gone";
  return after > before ? "more" : "less";
}

export const changeColumns = [
  "name",
  "selfBefore",
  "selfAfter",
  "selfChange",
  "totalBefore",
  "totalAfter",
  "totalChange",
] as const;

export type ChangeColumn = (typeof changeColumns)[number];

/** Value of a function in a column of numbers, scaled. */
export function changeValue(
  changes: FunctionChanges,
  scale: Scale,
  column: Exclude<ChangeColumn, "name">,
  fn: number,
): number {
  switch (column) {
    case "selfBefore":
      return changes.selfBefore[fn] * scale.before;
    case "selfAfter":
      return changes.selfAfter[fn] * scale.after;
    case "selfChange":
      return changes.selfAfter[fn] * scale.after - changes.selfBefore[fn] * scale.before;
    case "totalBefore":
      return changes.totalBefore[fn] * scale.before;
    case "totalAfter":
      return changes.totalAfter[fn] * scale.after;
    case "totalChange":
      return changes.totalAfter[fn] * scale.after - changes.totalBefore[fn] * scale.before;
  }
}

interface ChangeOrder {
  readonly column: ChangeColumn;
  readonly isDescending: boolean;
}

/**
 * Functions with a value on either side, sorted; equal ones by name. Neither the root nor the placeholder of truncated stacks is a
 * function.
 *
 * @param isPart whether the tree begins at a frame, whose function counts, instead of at the root
 */
export function sortedChanges(
  tree: ComparedTree,
  changes: FunctionChanges,
  { column, isDescending }: ChangeOrder,
  isPart = false,
): Uint32Array {
  const { name, length } = tree.functions;
  const used: number[] = [];
  for (let fn = isPart ? 0 : 1; fn < length; fn++)
    if (changes.frames[fn] > 0 && name[fn] !== truncatedName) used.push(fn);
  const byName = (a: number, b: number) => (name[a] < name[b] ? -1 : name[a] > name[b] ? 1 : 0);
  const sign = isDescending ? -1 : 1;
  if (column === "name") return Uint32Array.from(used.sort((a, b) => sign * byName(a, b)));
  const values = Float64Array.from({ length }, (_, fn) => changeValue(changes, tree.scale, column, fn));
  return Uint32Array.from(used.sort((a, b) => sign * (values[a] - values[b]) || byName(a, b)));
}
