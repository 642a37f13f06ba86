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
  /** By itself and through the libraries and the runtime functions that it calls; 0 of functions outside the application. */
  readonly ownBefore: number;
  readonly ownAfter: number;
  readonly totalBefore: number;
  readonly totalAfter: number;
}

type Sums = { -readonly [K in Exclude<keyof FunctionChange, "name" | "file" | "line">]: number } & {
  readonly frame: number;
};

/** The stacks of two ranges: two tables over the same stacks. */
export interface StackPair {
  readonly before: StackTable;
  readonly after: StackTable;
  /** For each stack, where in `frame` the application's function nearest to the leaf is; -1 if it has none. */
  readonly innermost?: Int32Array;
}

/**
 * The first column of both tables, summed by function. All copies of a generic function are one function; one that recurses
 * counts once per stack. Self values of types that wait belong to the function that waits.
 */
export function functionChanges(
  { before, after, innermost }: StackPair,
  type: ProfileType,
): FunctionChange[] {
  const { start, frame, frames } = after;
  const names = frames.functionName.map(withoutShapes);
  const sums = new Map<string, Sums>();
  for (let stack = 0; stack < after.length; stack++) {
    const earlier = Number(before.values[0]?.[stack] ?? 0);
    const later = Number(after.values[0]?.[stack] ?? 0);
    if (earlier === 0 && later === 0) continue;
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
    const sumAt = (at: number | undefined) => (at === undefined ? undefined : sums.get(names[at]!));
    const self = sumAt(isWaitingType(type) ? callerOf(after, stack).frame : frame[start[stack]!]);
    if (self !== undefined) {
      self.selfBefore += earlier;
      self.selfAfter += later;
    }
    const own = sumAt(frame[innermost?.[stack] ?? -1]);
    if (own !== undefined) {
      own.ownBefore += earlier;
      own.ownAfter += later;
    }
  }
  return [...sums].map(([name, { frame: at, ...values }]) => ({
    name,
    file: frames.file[at]!,
    line: frames.line[at]!,
    ...values,
  }));
}

function emptySums(frame: number): Sums {
  return { frame, selfBefore: 0, selfAfter: 0, ownBefore: 0, ownAfter: 0, totalBefore: 0, totalAfter: 0 };
}
