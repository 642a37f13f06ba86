import type { CallTree } from "#tree/call-tree.ts";
import { selfChanges } from "#tree/what-changed.ts";
import { oklch, toHex } from "./oklch.ts";
import type { LegendEntry } from "./scheme.ts";
import type { Theme } from "./scheme-names.ts";

/**
 * Steps of a change from blue (less) through grey (the same) to orange (more), which people with any of the common colour blindnesses tell
 * apart. By ratio: twice as much is as far from the middle as half as much.
 */
const steps = [
  { label: "gone", amount: -4 },
  { label: "−50%", amount: -3 },
  { label: "−20%", amount: -2 },
  { label: "−5%", amount: -1 },
  { label: "same", amount: 0 },
  { label: "+5%", amount: 1 },
  { label: "+25%", amount: 2 },
  { label: "+100%", amount: 3 },
  { label: "new", amount: 4 },
] as const;

const same = 4;

/** The lowest ratios of a small, a clear and a large change. */
const ratios = [1.05, 1.25, 2] as const;

/** Sums of fractions that should be equal differ in the last bits. */
const roundingSlack = 1 - 1e-12;

/**
 * Step of a change, an index into the palette: how much more or less, not what share of the whole.
 *
 * @param before scaled, as is `after`; negative values, which measurements do not have, count as 0
 */
export function changeStep(before: number, after: number): number {
  const [low, high] = before < after ? [before, after] : [after, before];
  if (high <= 0) return same;
  let amount = 0;
  while (amount < ratios.length && high >= low * ratios[amount] * roundingSlack) amount++;
  if (low <= 0) amount = same;
  return before < after ? same + amount : same - amount;
}

/** The colours of a comparison show the difference of a frame's self value, or how much more or less its total is. */
export type ChangeColouring = "self" | "total";

/** Steps of the nodes of a comparison by their totals: how the last side has changed from the first, by ratio. */
export function totalChangeColours({ columns, scale }: CallTree): (node: number) => number {
  const last = columns.length - 1;
  const [before, after] = [columns[0].total, columns[last].total];
  return (node) => changeStep(before[node] * scale[0], after[node] * scale[last]);
}

/** The least parts of the largest difference of a small, a clear, a large and a very large one. */
export const selfChangeParts = [0.02, 0.1, 0.25, 0.5] as const;

/**
 * Steps of the nodes by the differences of their self values, as parts of the largest one: the few frames whose code changed are coloured, their
 * callers and everything else are grey.
 */
export function selfChangeColours(tree: CallTree, profileType: string): (node: number) => number {
  const changes = selfChanges(tree, profileType);
  const largest = largestOf(changes);
  return (node) => selfChangeStep(changes[node], largest);
}

/** Size of the largest difference of a frame, scaled; 0 where nothing changed. */
export function largestSelfChange(tree: CallTree, profileType: string): number {
  return largestOf(selfChanges(tree, profileType));
}

function largestOf(changes: Float64Array): number {
  let largest = 0;
  // The root is the value of stacks without a frame.
  for (let node = 1; node < changes.length; node++) largest = Math.max(largest, Math.abs(changes[node]));
  return largest;
}

/** Step of a difference, an index into the palette. */
export function selfChangeStep(change: number, largest: number): number {
  const part = largest === 0 ? 0 : Math.abs(change) / largest;
  let amount = 0;
  while (amount < selfChangeParts.length && part >= selfChangeParts[amount]) amount++;
  return change < 0 ? same - amount : same + amount;
}

/**
 * Lightness and chroma of each step, from no change to the largest. Growth and decline use the same values, so that both colours draw
 * the same attention.
 */
const shades: Readonly<Record<Theme, readonly (readonly [lightness: number, chroma: number])[]>> = {
  light: [
    [0.91, 0.004],
    [0.87, 0.05],
    [0.79, 0.1],
    [0.7, 0.14],
    [0.47, 0.12],
  ],
  dark: [
    [0.36, 0.006],
    [0.41, 0.055],
    [0.47, 0.095],
    [0.55, 0.12],
    [0.8, 0.12],
  ],
};

const blue = 250;
const orange = 55;

export function changePalette(theme: Theme): readonly string[] {
  return steps.map(({ amount }) => {
    const [lightness, chroma] = shades[theme][Math.abs(amount)];
    return toHex(oklch(lightness, chroma, amount < 0 ? blue : orange));
  });
}

/** The meaning of the colours, from less to more. */
export function changeLegend(theme: Theme): readonly LegendEntry[] {
  const palette = changePalette(theme);
  return steps.map(({ label }, step) => ({ label, colour: palette[step] }));
}
