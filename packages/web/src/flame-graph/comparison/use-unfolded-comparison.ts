import {
  type FlameView,
  functionRef,
  hasElisionsBelow,
  nodeAtRef,
  nodeRefOf,
  widestPlace,
  zoomedNode,
} from "@flamekeep/flame";
import { type Comparison, decodeComparison, type Scale, unfoldComparison } from "@flamekeep/flame/compare";
import { changedText, usePartsBelow } from "#flame-graph/decode/use-parts-below.ts";
import { wholeLayout } from "./use-layouts.ts";

/** Loads the part of a comparison that begins at a frame, as bytes of `comparisonMediaType`. */
export type LoadComparedPart = (root: string, signal: AbortSignal) => Promise<Uint8Array>;

type Zoomed = Pick<FlameView, "zoom" | "selectedFunction">;

/**
 * The comparison. Zooming to a frame below which the server left frames out loads them.
 *
 * @param view undefined where its zoom is one of a transformed comparison
 * @param scale of the drawing, which determines the widest place of a function
 */
export function useUnfoldedComparison(
  comparison: Comparison,
  { view, scale }: { readonly view: Zoomed | undefined; readonly scale: Scale },
  load: LoadComparedPart,
): Comparison {
  const unfolded = usePartsBelow(comparison, {
    foldedRef: (shown) => (view === undefined ? "" : foldedRef(shown, view, scale)),
    withPart: async (shown, ref, signal) =>
      withPart(shown, ref, decodeComparison(await load(ref, signal)).comparison),
  });
  return unfolded ?? comparison;
}

/** Reference of the zoomed frame if frames below it can be loaded; empty if none can. */
function foldedRef(comparison: Comparison, view: Zoomed, scale: Scale): string {
  if (comparison.elisions.length === 0 || view.zoom === "") return "";
  const node =
    view.zoom === widestPlace ? widestIn(comparison, view, scale) : nodeAtRef(comparison, view.zoom);
  return node !== 0 && hasElisionsBelow(comparison, node) ? nodeRefOf(comparison, node) : "";
}

function widestIn(comparison: Comparison, view: Zoomed, scale: Scale): number {
  const tree = wholeLayout(comparison, scale);
  return tree.source[zoomedNode(tree, view)]!;
}

function withPart(comparison: Comparison, ref: string, part: Comparison): Comparison {
  const node = nodeAtRef(comparison, ref);
  const isSame =
    functionRef(part.functions, part.fn[0]!) === functionRef(comparison.functions, comparison.fn[node]!) &&
    (["before", "after"] as const).every(
      (side) =>
        Math.abs(part[side].total[0]! - comparison[side].total[node]!) <=
        1e-9 * Math.abs(comparison[side].total[0]!),
    );
  if (!isSame) throw new Error(changedText);
  return unfoldComparison(comparison, node, part);
}
