import type { ValueType } from "@flamekeep/profile";
import type { AllFrames, FunctionTable, TreeValue } from "#tree/call-tree.ts";

/** Values of one side, by node. Nodes that only the other side has are 0. */
export interface SideValues {
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** As in `CallTree`. */
  readonly allFrames?: AllFrames;
}

/**
 * Two call trees as one, in breadth-first order: a node for each path that either has.
 *
 * ```
 *   before        after                     node          0   1    2    3    4
 *   main 30       main 50                   fn            root main gc   parse encode
 *     encode 30     parse 30, encode 20     before.total  40  30   10   0    30
 *   gc 10         gc 10                     after.total   60  50   10   30   20
 * ```
 *
 * Values are as measured, exact up to 2^53. They become comparable by `Scale`. Siblings are sorted by width for the scale with which
 * the comparison was made; `layOut` sorts them for any other one.
 */
export interface Comparison {
  readonly length: number;
  readonly valueType: ValueType;
  readonly functions: FunctionTable;
  /** length + 1 offsets, as in `CallTree`. */
  readonly firstChild: Uint32Array;
  readonly parent: Int32Array;
  readonly fn: Uint32Array;
  readonly line: Int32Array;
  readonly before: SideValues;
  readonly after: SideValues;
  readonly elisions: ComparedElisions;
}

/** Frames elided under a node, as in `ElisionTable`. */
export interface ComparedElisions {
  readonly length: number;
  readonly node: Uint32Array;
  readonly count: Float64Array;
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly largest: Uint32Array;
}

export const nothingElided: ComparedElisions = {
  length: 0,
  node: new Uint32Array(0),
  count: new Float64Array(0),
  before: new Float64Array(0),
  after: new Float64Array(0),
  largest: new Uint32Array(0),
};

/** The factors of both sides, for example 1 / seconds. */
export interface Scale {
  readonly before: number;
  readonly after: number;
}

export const unscaled: Scale = { before: 1, after: 1 };

/** The scale with which each side's total is 1; a side without values stays as it is. */
export function shareScale({ before, after }: Pick<Comparison, "before" | "after">): Scale {
  return { before: inverse(before.total[0]), after: inverse(after.total[0]) };
}

function inverse(total: TreeValue): number {
  return total === 0 ? 1 : 1 / total;
}

/** The comparison with the values of each side divided, as the mean of gauges is. The same one for divisors of 1. */
export function dividedBy(
  comparison: Comparison,
  by: { readonly before: number; readonly after: number },
): Comparison {
  if (by.before === 1 && by.after === 1) return comparison;
  const { before, after, elisions } = comparison;
  const side = ({ allFrames, ...values }: SideValues, divisor: number) => ({
    ...divided(values, divisor),
    ...(allFrames && {
      allFrames: {
        ...divided(allFrames, divisor),
        frames: allFrames.frames,
        ofPackage: quotients(allFrames.ofPackage, divisor),
        selfByOwner: quotients(allFrames.selfByOwner, divisor),
      },
    }),
  });
  return {
    ...comparison,
    before: side(before, by.before),
    after: side(after, by.after),
    elisions: {
      ...elisions,
      before: quotients(elisions.before, by.before),
      after: quotients(elisions.after, by.after),
    },
  };
}

function divided({ self, total }: Pick<SideValues, "self" | "total">, divisor: number) {
  return { self: quotients(self, divisor), total: quotients(total, divisor) };
}

function quotients(values: Float64Array, divisor: number): Float64Array {
  return values.map((value) => value / divisor);
}
