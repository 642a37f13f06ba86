import type { CallTree } from "@flamekeep/flame";

/** Rows of a flame graph as Pyroscope sends them. */
export interface Levels {
  readonly names: readonly string[];
  /** Four numbers a frame: see `levelsOf`. Seven for two sides: three for each, and the name. */
  readonly levels: readonly (readonly number[])[];
  /** The total of each side. */
  readonly totals: readonly number[];
  readonly maxSelf: number;
}

/** The frame of those that are left out. */
const otherName = "other";
const rootName = "total";

/** A frame of the next row. */
interface Place {
  /** -1 for the frames of the parent that are left out. */
  readonly node: number;
  /** Left edges by side. */
  readonly x: readonly number[];
  /** Totals of frames that are left out, by side. */
  readonly elided: readonly number[];
}

type Tree = Pick<CallTree, "columns" | "elisions" | "firstChild" | "fn">;

/**
 * Each row lists its frames from left to right:
 *
 * ```
 * [distance from the end of the frame before it, total, self, name]
 *
 * total 5                 [0, 5, 0, 0]
 * main 3   other 2        [0, 3, 3, 1,  0, 2, 2, 2]
 * ```
 *
 * The self value of a frame lies left of its callees. Edges are rounded, not values, so that the totals of callees and the self value of a frame
 * always add up to its total.
 *
 * @param functionNames by function; that of the root is replaced
 */
export function levelsOf(tree: Tree, functionNames: readonly string[]): Levels {
  const { columns, elisions } = tree;
  const names = new NameIndex(functionNames);
  const elisionOf = new Map<number, number>();
  for (let row = 0; row < elisions.length; row++) elisionOf.set(elisions.node[row]!, row);
  const levels: number[][] = [];
  let maxSelf = 0;
  let row: Place[] = [{ node: 0, x: columns.map(() => 0), elided: [] }];
  while (row.length > 0) {
    const values: number[] = [];
    const ends = columns.map(() => 0);
    const next: Place[] = [];
    for (const place of row) {
      for (const [side, x] of place.x.entries()) {
        const { total, self } = sizesOf(tree, place, side);
        const left = Math.round(x);
        const width = Math.round(x + total) - left;
        const own = place.node === -1 ? width : Math.min(width, Math.round(x + self) - left);
        values.push(left - ends[side]!, width, own);
        ends[side] = left + width;
        maxSelf = Math.max(maxSelf, own);
      }
      values.push(place.node === -1 ? names.other() : names.of(tree.fn[place.node]!, place.node === 0));
      if (place.node !== -1) addCallees(tree, place, elisionOf.get(place.node), next);
    }
    levels.push(values);
    row = next;
  }
  const totals = columns.map(({ total }) => Math.max(0, Math.round(total[0]!)));
  return { names: names.list, levels, totals, maxSelf };
}

/** Negative values have no width. */
function sizesOf({ columns }: Tree, { node, elided }: Place, side: number) {
  if (node === -1) return { total: elided[side]!, self: elided[side]! };
  const { total, self } = columns[side]!;
  return { total: Math.max(0, total[node]!), self: Math.max(0, self[node]!) };
}

function addCallees(tree: Tree, { node, x }: Place, elision: number | undefined, next: Place[]): void {
  const { columns, firstChild } = tree;
  let at = x.map((left, side) => left + Math.max(0, columns[side]!.self[node]!));
  for (let child = firstChild[node]!; child < firstChild[node + 1]!; child++) {
    next.push({ node: child, x: at, elided: [] });
    at = at.map((left, side) => left + Math.max(0, columns[side]!.total[child]!));
  }
  if (elision === undefined) return;
  const elided = columns.map((column) => Math.max(0, column.elided[elision]!));
  if (elided.some((total) => total > 0)) next.push({ node: -1, x: at, elided });
}

class NameIndex {
  readonly list: string[] = [];
  readonly #functionNames: readonly string[];
  readonly #byName = new Map<string, number>();
  readonly #byFunction: (number | undefined)[] = [];

  constructor(functionNames: readonly string[]) {
    this.#functionNames = functionNames;
  }

  of(fn: number, isRoot: boolean): number {
    if (isRoot) return this.#add(rootName);
    const index = this.#byFunction[fn] ?? this.#add(this.#functionNames[fn]!);
    this.#byFunction[fn] = index;
    return index;
  }

  other(): number {
    return this.#add(otherName);
  }

  #add(name: string): number {
    const existing = this.#byName.get(name);
    if (existing !== undefined) return existing;
    this.#byName.set(name, this.list.length);
    return this.list.push(name) - 1;
  }
}
