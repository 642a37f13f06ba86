import type { StackTable } from "#model/stack-table.ts";
import type { Percent } from "#model/units.ts";
import { type Category, categoryOf } from "#names/categories.ts";
import { type FrameFunctions, frameFunctions } from "#names/frame-functions.ts";

export interface TopFunction {
  readonly name: string;
  readonly file: string;
  /** Line on which it starts, 0 where unknown. */
  readonly line: number;
  readonly category: Category;
  /** Percent of the whole, -100 to 100; negative only in differences. */
  readonly selfPercent: Percent;
  readonly selfValue: number;
  /** Percent of the whole, -100 to 100; negative only in differences. */
  readonly cumPercent: Percent;
  /** A recursive function counts once per stack. */
  readonly cumValue: number;
}

/** Self and cumulative value by function; a function that recurses counts once per stack. */
export interface FunctionTotals {
  /** The functions in the stacks that have a value. */
  readonly ids: Uint32Array;
  /** By function, those that are in no stack too. */
  readonly names: readonly string[];
  /** By function, as `cum` is. */
  readonly self: Float64Array;
  readonly cum: Float64Array;
}

export function functionTotals(
  stacks: StackTable,
  weights: Float64Array,
  { ofFrame, length, name }: Pick<FrameFunctions, "ofFrame" | "length" | "name"> = frameFunctions({
    ...stacks.frames,
    hasInstantiations: true,
  }),
): FunctionTotals {
  const self = new Float64Array(length);
  const cum = new Float64Array(length);
  const lastStack = new Int32Array(length).fill(-1);
  for (let i = 0; i < stacks.length; i++) {
    const from = stacks.start[i];
    const to = stacks.start[i + 1];
    const weight = weights[i];
    if (weight === 0) continue;
    if (to > from) self[ofFrame[stacks.frame[from]]] += weight;
    for (let j = from; j < to; j++) {
      const fn = ofFrame[stacks.frame[j]];
      if (lastStack[fn] === i) continue;
      lastStack[fn] = i;
      cum[fn] += weight;
    }
  }
  const ids = Uint32Array.from(lastStack.keys()).filter((fn) => lastStack[fn] !== -1);
  return { ids, names: name, self, cum };
}

/**
 * The functions with the most self value, up or down; ties by cumulative value, then by name.
 *
 * @param whole the value that shares refer to
 */
export function topFunctions(
  { name, file, startLine }: FrameFunctions,
  { ids, self, cum }: FunctionTotals,
  whole: number,
  count: number,
): TopFunction[] {
  const order = Array.from(ids).sort(
    (a, b) =>
      more(self[a], self[b]) ||
      more(cum[a], cum[b]) ||
      (name[a] === name[b] ? (file[a] < file[b] ? -1 : 1) : name[a] < name[b] ? -1 : 1),
  );
  return order.slice(0, count).map((i) => ({
    name: name[i],
    file: file[i],
    line: startLine[i],
    category: categoryOf(name[i], file[i]),
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
