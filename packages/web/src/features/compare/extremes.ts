import { type CallTree, functionValue, sortedFunctions, totalsByOwner } from "@flamekeep/flame";

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

const selfChange = { value: "self", of: 1, minus: 0 } as const;

/** The functions whose self value grew and shrank most; of waits, the functions that wait. */
export function extremesOf(tree: CallTree, profileType: string): Extremes {
  const totals = totalsByOwner(tree, profileType);
  const [before, after] = totals;
  const order = sortedFunctions(tree, totals, selfChange, true);
  const changed = (fn: number | undefined, sign: 1 | -1): ChangedFunction | undefined => {
    if (fn === undefined || sign * functionValue(totals, tree.scale, selfChange, fn) <= 0) return undefined;
    return { fn, before: before!.self[fn]!, after: after!.self[fn]! };
  };
  return { most: changed(order[0], 1), least: changed(order.at(-1), -1) };
}
