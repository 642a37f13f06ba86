import { type CallTree, isCut, type PackageSelf, type SearchResult } from "@flamekeep/flame";
import type { ReactNode } from "react";
import type { GraphLook } from "#flame-graph/canvas/scene.ts";

/** A graph before it is laid out. */
export type Graph = CallTree;

/** A graph as it is drawn. Its siblings may have another order than those of the graph. */
export interface DrawnTree extends CallTree {
  /** Node of the graph for each node; absent if they are the same. */
  readonly source?: Uint32Array;
}

/**
 * How a graph is read: its colours, and its values in columns and in sentences. A graph of one profile or range has one value of each frame, a
 * comparison one for each side.
 */
export interface Reading {
  /** Names the toolbar and the drawing. */
  readonly label: string;
  /** Whether each frame has values of several sides. The rows are then always next to the graph or below it. */
  readonly isCompared: boolean;
  drawn(graph: Graph): DrawnTree;
  /** Each side of a comparison as a graph. */
  readonly sides?: readonly Side[];
  /** In place of the colour schemes. */
  readonly colours?: ColourRule;
  readonly sentences: Sentences;
  /** A frame for the bar of details, or a sentence. @param isElided whether it is the small frames that were left out under the node */
  detailsOf(tree: DrawnTree, node: number, isElided: boolean): FrameDetails | string;
  /** The function that uses most by itself, with its share as text; undefined if there is none. */
  hottestOf?(tree: DrawnTree): { readonly fn: number; readonly share: string } | undefined;
  readonly functions: FunctionColumns;
  readonly frames: FrameColumns;
}

export interface Side {
  readonly name: string;
  readonly title: string;
  /** The graph with the widths of this side. */
  drawn(graph: Graph): DrawnTree;
  /** The total of this side, of the whole and not of a zoomed frame. */
  total(tree: DrawnTree): string;
}

interface ColourRule {
  lookOf(tree: DrawnTree): GraphLook;
  /** Always in view. */
  legendOf(tree: DrawnTree): ReactNode;
}

interface Sentences {
  /** The values of a frame, for its menu. */
  frame(tree: DrawnTree, node: number): string;
  /** Name and values of a frame in exported pictures; by default the total and its share. */
  tooltip?(tree: DrawnTree, node: number): string;
  /** A frame for screen readers. */
  spoken(tree: DrawnTree, node: number): string;
  /** A function in all of its places. */
  sums(tree: DrawnTree, fn: number): string;
  /** The share of a search's matches. @param source the graph before the transforms */
  share(source: Graph, tree: DrawnTree, result: SearchResult): string;
  /** The part of the graph that the transforms leave. */
  summary(shown: Graph, source: Graph): string;
  /** That small frames were left out before; empty if none were. */
  notice(source: Graph): string;
}

export interface FrameDetails {
  readonly name: string;
  readonly fullName: string;
  readonly about: string;
  /** Each a `Fact`. */
  readonly facts: ReactNode;
  readonly factsClass: string;
}

interface FunctionColumns {
  readonly heads: readonly ColumnHead[];
  /** The functions below a node. */
  rowsOf(tree: DrawnTree, root: number): FunctionRows;
}

export interface FunctionRows {
  /** Index of the head that sorts at first. @param selectedFn the function that a link may have brought, or -1 */
  firstSort(selectedFn: number): number;
  /** @param head index of the head, or -1 for the names */
  sorted(head: number, isDescending: boolean): Uint32Array;
  cells(fn: number): ReactNode;
  /** Next to the name. */
  badge?(fn: number): ReactNode;
  readonly packages: readonly PackageSelf[];
  /** The value that is 100% of a package's. */
  readonly whole: number;
  /** Whether the sums are without the frames that the server left out. */
  readonly isPart: boolean;
}

/** Whether the sums of the functions below `root` are without frames that the server left out. */
export function lacksFrames(tree: CallTree, root: number): boolean {
  return isCut(tree) && (root !== 0 || tree.columns[0]!.allFrames === undefined);
}

/** The values of a frame with its callees. */
interface FrameColumns {
  readonly heads: readonly ColumnHead[];
  cells(tree: DrawnTree, node: number): ReactNode;
  /** The values of the small frames that were left out under a node. @param elision their row in the tree's table */
  leftOutCells(tree: DrawnTree, elision: number): ReactNode;
}

interface ColumnHead {
  readonly label: string;
  /** Width, and the screens that have room for the column. */
  readonly className: string;
}
