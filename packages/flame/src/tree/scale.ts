import type { AllFrames, CallTree, Scale } from "./call-tree.ts";
import { deriveColumns, skeletonOf } from "./derive.ts";

/** The scale with which the total of each column is 1; a column without values stays as it is. */
export function shareScale({ columns }: Pick<CallTree, "columns">): Scale {
  return columns.map(({ total }) => (total[0] === 0 ? 1 : 1 / total[0]));
}

/** The tree with the values of each column divided, as the mean of gauges is. The same one for divisors of 1. */
export function dividedBy(tree: CallTree, divisors: readonly number[]): CallTree {
  if (divisors.every((divisor) => divisor === 1)) return tree;
  const { self, total, allFrames, elisions, ...skeleton } = skeletonOf(tree);
  const each = (columns: readonly Float64Array[]) =>
    columns.map((values, at) => (at < divisors.length ? quotients(values, divisors[at]) : values));
  const isSingle = divisors.length === 1;
  const divided = deriveColumns({
    ...skeleton,
    self: each(self),
    total: total && each(total),
    allFrames: allFrames?.map((sums, at) => dividedSums(sums, divisors[at])),
    scale: isSingle ? tree.scale : tree.scale.map((factor, at) => factor * divisors[at]),
    elisions: {
      ...elisions,
      values: each(elisions.values),
      width: isSingle ? quotients(elisions.width, divisors[0]) : elisions.width,
    },
  });
  return { ...tree, ...divided };
}

function dividedSums({ frames, self, total, ofPackage, selfByOwner }: AllFrames, divisor: number): AllFrames {
  return {
    frames,
    self: quotients(self, divisor),
    total: quotients(total, divisor),
    ofPackage: quotients(ofPackage, divisor),
    selfByOwner: quotients(selfByOwner, divisor),
  };
}

function quotients(values: Float64Array, divisor: number): Float64Array {
  return values.map((value) => value / divisor);
}
