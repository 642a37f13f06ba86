import { type CallTree, formatPercent, wholeOf } from "@flamekeep/flame";
import { exactCount, plural } from "#format/number.ts";

/** `Shows 34.2% of the total, 1,204 frames.` */
export function treeSummary(shown: CallTree, source: CallTree): string {
  return `Shows ${formatPercent(shown.total[0]!, wholeOf(source))} of the total, ${plural(shown.length - 1, "frame")}.`;
}

/** `34.2% of the total before and 30.1% after, in 1,204 frames.` */
export function comparisonSummary(shown: CallTree, source: CallTree): string {
  const [before, after] = source.columns.map(({ total }, side) =>
    formatPercent(shown.columns[side]!.total[0]!, total[0]!),
  );
  return `${before} of the total before and ${after} after, in ${plural(shown.length - 1, "frame")}.`;
}

interface CutGraph {
  readonly count: Float64Array;
  readonly share: number;
}

/** Says what no transform can see: names of frames that the server left out. */
function cutNotice({ count, share }: CutGraph): string {
  const frames = count.reduce((sum, each) => sum + each, 0);
  if (frames === 0) return "";
  return `The server left out ${exactCount(frames)} small frames with ${formatPercent(share, 1)} of the total. Transforms do not apply to them.`;
}

const sum = (values: Float64Array) => values.reduce((all, value) => all + value, 0);

export function treeNotice(source: CallTree): string {
  const { count, width } = source.elisions;
  return cutNotice({ count, share: sum(width) / (wholeOf(source) || 1) });
}

/** The larger share of both sides. */
export function comparisonNotice({ columns, elisions }: CallTree): string {
  const shares = columns.map(({ elided, total }) => sum(elided) / (total[0]! || 1));
  return cutNotice({ count: elisions.count, share: Math.max(...shares) });
}
