import { type ComparedTree, changesByOwner, changeValue, sortedChanges } from "@flamekeep/flame/compare";

/** A function with its measured self values. */
export interface ChangedFunction {
  readonly fn: number;
  readonly before: number;
  readonly after: number;
}

interface Extremes {
  readonly most: ChangedFunction | undefined;
  readonly least: ChangedFunction | undefined;
}

/** The functions whose self value grew and shrank most; of waits, the functions that wait. */
export function extremesOf(tree: ComparedTree, profileType: string): Extremes {
  const changes = changesByOwner(tree, profileType);
  const order = sortedChanges(tree, changes, { column: "selfChange", isDescending: true });
  const changed = (fn: number | undefined, sign: 1 | -1): ChangedFunction | undefined => {
    if (fn === undefined || sign * changeValue(changes, tree.scale, "selfChange", fn) <= 0) return undefined;
    return { fn, before: changes.selfBefore[fn]!, after: changes.selfAfter[fn]! };
  };
  return { most: changed(order[0], 1), least: changed(order.at(-1), -1) };
}
