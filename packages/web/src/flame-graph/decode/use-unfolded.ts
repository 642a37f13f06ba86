import {
  type CallTree,
  type FlameGraph,
  type FlameMeta,
  type FlameView,
  functionRef,
  hasElisionsBelow,
  nodeAtRef,
  nodeRefOf,
  unfoldAt,
  zoomedNode,
} from "@flamekeep/flame";
import { decodeOnce } from "./decode-flame-graph.ts";
import { changedText, usePartsBelow } from "./use-parts-below.ts";

/** Loads the part of a graph that begins at a frame, as bytes of `flameGraphMediaType`. */
export type LoadPart = (root: string, of: FlameMeta, signal: AbortSignal) => Promise<Uint8Array>;

type Zoomed = Pick<FlameView, "zoom" | "selectedFunction">;

/**
 * The tree of a graph. Zooming to a frame below which the server left frames out loads them.
 *
 * @param view undefined where its zoom is one of another tree
 */
export function useUnfolded(
  graph: FlameGraph | undefined,
  view: Zoomed | undefined,
  load: LoadPart | undefined,
): CallTree | undefined {
  const unfolded = usePartsBelow(graph, {
    foldedRef: ({ tree }) => (view === undefined || load === undefined ? "" : foldedRef(tree, view)),
    withPart: async (shown, ref, signal) => {
      const bytes = await load!(ref, shown.meta, signal);
      return { ...shown, tree: withPart(shown.tree, ref, (await decodeOnce(bytes)).tree) };
    },
  });
  return unfolded?.tree;
}

/** Reference of the zoomed frame if frames below it can be loaded; empty if none can. */
function foldedRef(tree: CallTree, view: Zoomed): string {
  if (tree.elisions.length === 0 || view.zoom === "") return "";
  const node = zoomedNode(tree, view);
  return node !== 0 && hasElisionsBelow(tree, node) ? nodeRefOf(tree, node) : "";
}

function withPart(tree: CallTree, ref: string, part: CallTree): CallTree {
  const node = nodeAtRef(tree, ref);
  const isSame =
    functionRef(part.functions, part.fn[0]!) === functionRef(tree.functions, tree.fn[node]!) &&
    Math.abs(part.width[0]! - tree.width[node]!) <= 1e-9 * tree.width[0]!;
  if (!isSame) throw new Error(changedText);
  return unfoldAt(tree, node, part);
}
