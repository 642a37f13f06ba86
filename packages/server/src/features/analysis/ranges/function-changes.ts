import {
  callerOf,
  isWaitingType,
  type ProfileType,
  type StackTable,
  withoutShapes,
} from "@flamekeep/profile";

/** Sums of one function in both ranges, in the unit of the profiles. */
export interface FunctionChange {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly selfBefore: number;
  readonly selfAfter: number;
  readonly totalBefore: number;
  readonly totalAfter: number;
}

interface Sums {
  frame: number;
  selfBefore: number;
  selfAfter: number;
  totalBefore: number;
  totalAfter: number;
}

/**
 * The first column of two tables over the same stacks, summed by function. All copies of a generic function are one
 * function; one that recurses counts once per stack. Self values of types that wait belong to the function that waits.
 */
export function functionChanges(before: StackTable, after: StackTable, type: ProfileType): FunctionChange[] {
  const { start, frame, frames } = after;
  const names = frames.functionName.map(withoutShapes);
  const sums = new Map<string, Sums>();
  for (let stack = 0; stack < after.length; stack++) {
    const earlier = Number(before.values[0]?.[stack] ?? 0);
    const later = Number(after.values[0]?.[stack] ?? 0);
    if (earlier === 0 && later === 0) continue;
    const owner = isWaitingType(type) ? callerOf(after, stack).frame : frame[start[stack]!];
    const seen = new Set<string>();
    for (let at = start[stack]!; at < start[stack + 1]!; at++) {
      const name = names[frame[at]!]!;
      if (seen.has(name)) continue;
      seen.add(name);
      const sum = sums.get(name) ?? emptySums(frame[at]!);
      sums.set(name, sum);
      sum.totalBefore += earlier;
      sum.totalAfter += later;
    }
    const owned = owner === undefined ? undefined : sums.get(names[owner]!);
    if (owned === undefined) continue;
    owned.selfBefore += earlier;
    owned.selfAfter += later;
  }
  return [...sums].map(([name, { frame: at, ...values }]) => ({
    name,
    file: frames.file[at]!,
    line: frames.line[at]!,
    ...values,
  }));
}

function emptySums(frame: number): Sums {
  return { frame, selfBefore: 0, selfAfter: 0, totalBefore: 0, totalAfter: 0 };
}
