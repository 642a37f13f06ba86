import {
  type CallTree,
  type FlameGraph,
  type FlameMeta,
  type FlameView,
  hasElisionsBelow,
  isBelow,
  nodeAtRef,
  nodeRefOf,
  unfoldAt,
  zoomedNode,
} from "@flamekeep/flame";
import { useEffect, useEffectEvent, useState } from "react";
import { showToast } from "#ui/overlays/toast.ts";
import { decodeOnce } from "./decode-flame-graph.ts";

/** Loads the part of a graph that begins at a frame, as bytes of `flameGraphMediaType`. */
export type LoadPart = (root: string, of: FlameMeta, signal: AbortSignal) => Promise<Uint8Array>;

type Zoomed = Pick<FlameView, "zoom" | "selectedFunction">;

interface Unfolded {
  readonly graph: FlameGraph;
  /** The tree of the graph, with more frames. */
  readonly tree: CallTree;
  /** References of the frames whose parts were loaded, whether or not that worked. */
  readonly loaded: readonly string[];
}

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
  const [kept, setKept] = useState<Unfolded>();
  const current = kept?.graph === graph ? kept : undefined;
  const shown = graph === undefined ? undefined : (current ?? { graph, tree: graph.tree, loaded: [] });
  const ref = shown === undefined || view === undefined ? "" : foldedRef(shown, view);
  // The callback of a page is a new one each time that it renders.
  const begin = useEffectEvent((signal: AbortSignal) => {
    if (ref === "" || shown === undefined || load === undefined) return;
    const { tree } = shown;
    // A part that is loaded later replaces those below it.
    const loaded = [...shown.loaded.filter((each) => !isBelow(each, ref)), ref];
    partOf(shown, ref, load, signal).then(
      (part) => {
        if (signal.aborted) return;
        setKept({ graph: shown.graph, tree: unfoldAt(tree, nodeAtRef(tree, ref), part), loaded });
      },
      (error: Error) => {
        if (signal.aborted) return;
        setKept({ ...shown, loaded });
        showToast(`The small frames could not be loaded: ${error.message}`, "critical");
      },
    );
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tree has to be unfolded, too
  useEffect(() => {
    const request = new AbortController();
    begin(request.signal);
    return () => request.abort();
  }, [ref, graph]);
  return shown?.tree;
}

/** Reference of the zoomed frame if frames below it can be loaded; empty if none can. */
function foldedRef({ tree, loaded }: Unfolded, view: Zoomed): string {
  if (tree.elisions.length === 0 || view.zoom === "") return "";
  const node = zoomedNode(tree, view);
  const ref = nodeRefOf(tree, node);
  return node !== 0 && !loaded.includes(ref) && hasElisionsBelow(tree, node) ? ref : "";
}

async function partOf(
  { graph, tree }: Unfolded,
  ref: string,
  load: LoadPart,
  signal: AbortSignal,
): Promise<CallTree> {
  const { tree: part } = await decodeOnce(await load(ref, graph.meta, signal));
  const node = nodeAtRef(tree, ref);
  const isSame =
    part.functions.name[part.fn[0]!] === tree.functions.name[tree.fn[node]!] &&
    Math.abs(part.width[0]! - tree.width[node]!) <= 1e-9 * tree.width[0]!;
  if (!isSame) throw new Error("The graph has changed since. Refresh it with R.");
  return part;
}
