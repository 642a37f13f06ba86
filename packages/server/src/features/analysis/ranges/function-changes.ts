import type { ProfileType } from "@flamekeep/contract";
import {
  callerOf,
  frameFunctions,
  isWaitingType,
  matchFunctions,
  type StackTable,
  side,
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
  readonly name: string;
};

/** The stacks of two ranges: two tables over the same stacks. */
export interface StackPair {
  readonly before: StackTable;
  readonly after: StackTable;
  /** For each stack, where in `frame` the application's function nearest to the leaf is; -1 if it has none. */
  readonly innermost?: Int32Array;
}

/**
 * The first column of both tables, summed by function. All copies of a generic function are one function, and so are
 * functions of two builds in different folders; one that recurses counts once per stack. Self values of types that wait belong to the function that waits.
 */
export function functionChanges(
  { before, after, innermost }: StackPair,
  type: ProfileType,
): FunctionChange[] {
  const { start, frame, frames } = after;
  const functionOf = matchedFunctions({ before, after });
  const sums = new Map<number, Sums>();
  for (let stack = 0; stack < after.length; stack++) {
    const earlier = Number(before.values[0]?.[stack] ?? 0);
    const later = Number(after.values[0]?.[stack] ?? 0);
    if (earlier === 0 && later === 0) continue;
    const seen = new Set<number>();
    for (let at = start[stack]!; at < start[stack + 1]!; at++) {
      const fn = functionOf.ofFrame[frame[at]!]!;
      if (seen.has(fn)) continue;
      seen.add(fn);
      const sum = sums.get(fn) ?? emptySums(functionOf.name[fn]!, frame[at]!);
      sums.set(fn, sum);
      sum.totalBefore += earlier;
      sum.totalAfter += later;
    }
    const sumAt = (at: number | undefined) =>
      at === undefined ? undefined : sums.get(functionOf.ofFrame[at]!);
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
  return [...sums.values()].map(({ frame: at, name, ...values }) => ({
    name,
    file: frames.file[at]!,
    line: frames.line[at]!,
    ...values,
  }));
}

/** The function of each frame. */
function matchedFunctions({ before, after }: StackPair) {
  const functions = frameFunctions(after.frames);
  const sides = new Uint8Array(functions.length);
  for (let stack = 0; stack < after.length; stack++) {
    const isBefore = Number(before.values[0]?.[stack] ?? 0) !== 0;
    const isAfter = Number(after.values[0]?.[stack] ?? 0) !== 0;
    const mask = (isBefore ? side.before : 0) | (isAfter ? side.after : 0);
    for (let at = after.start[stack]!; at < after.start[stack + 1]!; at++) {
      const fn = functions.ofFrame[after.frame[at]!]!;
      sides[fn]! |= mask;
    }
  }
  const matched = matchFunctions(functions, sides);
  return { name: functions.name, ofFrame: functions.ofFrame.map((fn) => matched[fn]!) };
}

function emptySums(name: string, frame: number): Sums {
  return {
    name,
    frame,
    selfBefore: 0,
    selfAfter: 0,
    ownBefore: 0,
    ownAfter: 0,
    totalBefore: 0,
    totalAfter: 0,
  };
}
