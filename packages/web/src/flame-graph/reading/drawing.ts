import { type FlameView, type NamedFrames, nodeAtRef, nodeRefOf, widestPlace } from "@flamekeep/flame";
import type { GraphLook } from "#flame-graph/canvas/scene.ts";
import type { DrawnTree, Graph, Reading } from "./reading.ts";

/** A graph as it is drawn, with its colours; none where the view's scheme has them. */
export interface Drawn {
  readonly tree: DrawnTree;
  readonly look: GraphLook | undefined;
}

export function drawnOf({ drawn, colours }: Pick<Reading, "drawn" | "colours">, graph: Graph): Drawn {
  const tree = drawn(graph);
  return { tree, look: colours?.lookOf(tree) };
}

/** Node of each node of the graph, by drawing. */
const inverses = new WeakMap<DrawnTree, Uint32Array>();

/** The node of a drawing for a node of its graph. */
export function drawnNode(tree: DrawnTree, node: number): number {
  if (tree.source === undefined) return node;
  let nodes = inverses.get(tree);
  if (nodes === undefined) {
    nodes = new Uint32Array(tree.length);
    for (let at = 0; at < tree.length; at++) nodes[tree.source[at]!] = at;
    inverses.set(tree, nodes);
  }
  return nodes[node]!;
}

/** The node of its graph for a node of a drawing. */
export function graphNode(tree: DrawnTree, node: number): number {
  return tree.source?.[node] ?? node;
}

/** A graph with its drawing. */
interface Drawing {
  readonly graph: NamedFrames;
  readonly tree: DrawnTree;
}

/** The drawings to which the references of a view belong. */
interface BothDrawings extends Drawing {
  /** The upper half of a sandwich. */
  readonly callers: Drawing | null;
}

/**
 * The view of a link, whose references follow the order of the graph, in the order in which it is drawn. The order of siblings in the drawing
 * of a comparison depends on the scale and on the frames that were loaded since; the order of the comparison does not.
 */
export function drawnView(view: FlameView, drawings: BothDrawings): FlameView {
  return movedView(view, drawings, ({ graph, tree }, ref) =>
    nodeRefOf(tree, drawnNode(tree, nodeAtRef(graph, ref))),
  );
}

/** The inverse of `drawnView`: a drawn view with the references of the graph, for a link. */
export function linkedView(view: FlameView, drawings: BothDrawings): FlameView {
  return movedView(view, drawings, ({ graph, tree }, ref) =>
    nodeRefOf(graph, graphNode(tree, nodeAtRef(tree, ref))),
  );
}

function movedView(
  view: FlameView,
  drawings: BothDrawings,
  move: (drawing: Drawing, ref: string) => string,
): FlameView {
  const moved = (drawing: Drawing | null, ref: string) => {
    const isPlace = ref !== "" && ref !== widestPlace;
    return isPlace && drawing !== null && drawing.graph !== drawing.tree ? move(drawing, ref) : ref;
  };
  return {
    ...view,
    zoom: moved(drawings, view.zoom),
    focus: moved(drawings, view.focus),
    callersZoom: moved(drawings.callers, view.callersZoom),
  };
}
