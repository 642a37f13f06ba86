import { lowerBound } from "./columns.ts";
import type { ElidedFrames } from "./derive.ts";

/** The rows at new nodes; the rows of one node are summed. @param place new node of each node, -1 where the rows are dropped */
export function placeElisions(elisions: ElidedFrames, place: Int32Array): ElidedFrames {
  const { rowOf, node } = rowsAt(elisions, place);
  const added = (column: Float64Array) => {
    const sum = new Float64Array(node.length);
    for (let row = 0; row < rowOf.length; row++) {
      const at = rowOf[row];
      if (at !== -1) sum[at] += column[row];
    }
    return sum;
  };
  return {
    length: node.length,
    node,
    count: added(elisions.count),
    largest: largestOf(elisions, rowOf, node.length),
    values: elisions.values.map(added),
    width: added(elisions.width),
  };
}

/** The nodes with rows in ascending order, and the new row of each old one, -1 where it is dropped. */
function rowsAt({ node, length }: ElidedFrames, place: Int32Array) {
  const at = new Int32Array(length);
  for (let row = 0; row < length; row++) at[row] = place[node[row]];
  const sorted = at.slice().sort();
  let count = 0;
  for (let row = 0; row < length; row++)
    if (sorted[row] !== -1 && (row === 0 || sorted[row] !== sorted[row - 1])) sorted[count++] = sorted[row];
  const nodes = Uint32Array.from(sorted.subarray(0, count));
  const rowOf = at.map((found) => (found === -1 ? -1 : lowerBound(nodes, found)));
  return { rowOf, node: nodes };
}

/** The widest frame of rows that become one: only each row's own widest frame is known, so the widest row decides. */
function largestOf({ largest, width }: ElidedFrames, rowOf: Int32Array, rows: number): Uint32Array {
  const names = new Uint32Array(rows);
  const widest = new Float64Array(rows).fill(-1);
  for (let row = 0; row < rowOf.length; row++) {
    const at = rowOf[row];
    if (at === -1 || width[row] <= widest[at]) continue;
    widest[at] = width[row];
    names[at] = largest[row];
  }
  return names;
}
