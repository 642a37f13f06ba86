import type { StackTable } from "#model/stack-table.ts";
import type { Percent } from "#model/units.ts";
import { type Category, categoryOf } from "#names/categories.ts";

export interface TopFunction {
  readonly name: string;
  readonly category: Category;
  /** Percent of the whole, -100 to 100; negative only in differences. */
  readonly selfPercent: Percent;
  readonly selfValue: number;
  /** Percent of the whole, -100 to 100; negative only in differences. */
  readonly cumPercent: Percent;
  /** A recursive function counts once per stack. */
  readonly cumValue: number;
}

/** Self and cumulative value by function name; a function that recurses counts once per stack. */
export interface FunctionTotals {
  /** Names of the functions in the stacks. */
  readonly names: readonly string[];
  readonly self: Float64Array;
  readonly cum: Float64Array;
  /** A frame of each function. */
  readonly frame: Uint32Array;
}

export function functionTotals(stacks: StackTable, weights: Float64Array): FunctionTotals {
  const { functionOf, names, frame } = functionsOf(stacks);
  const self = new Float64Array(names.length);
  const cum = new Float64Array(names.length);
  const lastStack = new Int32Array(names.length).fill(-1);
  for (let i = 0; i < stacks.length; i++) {
    const from = stacks.start[i];
    const to = stacks.start[i + 1];
    const weight = weights[i];
    if (to > from) self[functionOf[stacks.frame[from]]] += weight;
    for (let j = from; j < to; j++) {
      const fn = functionOf[stacks.frame[j]];
      if (lastStack[fn] === i) continue;
      lastStack[fn] = i;
      cum[fn] += weight;
    }
  }
  return { names, self, cum, frame };
}

function functionsOf(stacks: StackTable): {
  functionOf: Int32Array;
  names: string[];
  frame: Uint32Array;
} {
  const { frames } = stacks;
  const functionOf = new Int32Array(frames.length).fill(-1);
  const ids = new Map<string, number>();
  const frame: number[] = [];
  for (const used of stacks.frame) {
    if (functionOf[used] !== -1) continue;
    const name = frames.functionName[used];
    const id = ids.get(name) ?? ids.size;
    if (id === ids.size) {
      ids.set(name, id);
      frame.push(used);
    }
    functionOf[used] = id;
  }
  return { functionOf, names: [...ids.keys()], frame: Uint32Array.from(frame) };
}

/**
 * The functions with the most self value, up or down; ties by cumulative value, then by name.
 *
 * @param whole the value that shares refer to
 */
export function topFunctions(
  stacks: StackTable,
  totals: FunctionTotals,
  whole: number,
  count: number,
): TopFunction[] {
  const { names, self, cum, frame } = totals;
  const order = Array.from(names, (_, i) => i).sort(
    (a, b) => more(self[a], self[b]) || more(cum[a], cum[b]) || (names[a] < names[b] ? -1 : 1),
  );
  return order.slice(0, count).map((i) => ({
    name: names[i],
    category: categoryOf(names[i], stacks.frames.file[frame[i]]),
    selfPercent: percentOf(self[i], whole),
    selfValue: self[i],
    cumPercent: percentOf(cum[i], whole),
    cumValue: cum[i],
  }));
}

/** Orders by size, the greatest first; of two of one size the one above 0. */
function more(a: number, b: number): number {
  return Math.abs(b) - Math.abs(a) || b - a;
}

/** Percent of `whole`; 0 if `whole` is 0. Not rounded: rounded again to fewer decimals, 40.246 would become 40.3. */
export function percentOf(value: number, whole: number): Percent {
  return whole > 0 ? (value / whole) * 100 : 0;
}
