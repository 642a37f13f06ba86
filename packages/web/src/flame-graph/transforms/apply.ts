import type { CallTree } from "@flamekeep/flame";
import type { Comparison } from "@flamekeep/flame/compare";
import {
  type BothSides,
  chainOf,
  sandwichComparison,
  sandwichTree,
  type Target,
  type Transform,
  transformComparison,
  transformTree,
} from "@flamekeep/flame/transform";

/** A graph after a chain of transforms. */
export interface Transformed<T> {
  /** The callees where the chain has a sandwich, then below the root and the function itself. */
  readonly shown: T;
  /** The callers of the sandwich's function, below the root and the function itself; null without a sandwich. */
  readonly callers: T | null;
}

interface Operations<T> {
  readonly transform: (source: T, chain: readonly Transform[]) => T;
  readonly sandwich: (source: T, target: Target) => BothSides<T>;
}

const ofTree: Operations<CallTree> = { transform: transformTree, sandwich: sandwichTree };
const ofComparison: Operations<Comparison> = {
  transform: transformComparison,
  sandwich: sandwichComparison,
};

export function transformedTree(tree: CallTree, text: string): Transformed<CallTree> {
  return transformed(ofTree, tree, text);
}

export function transformedComparison(comparison: Comparison, text: string): Transformed<Comparison> {
  return transformed(ofComparison, comparison, text);
}

/**
 * The sandwich is the last step wherever it is in the chain: it makes two graphs of the one that all others leave. A link may have an
 * inversion next to it, which would exchange callers and callees, and is therefore left out.
 */
function transformed<T>({ transform, sandwich }: Operations<T>, source: T, text: string): Transformed<T> {
  const chain = chainOf(text);
  const target = chain.findLast(({ name }) => name === "sandwich")?.target;
  if (target === undefined) return { shown: transform(source, chain), callers: null };
  const shown = transform(
    source,
    chain.filter(({ name }) => name !== "invert" && name !== "sandwich"),
  );
  const { callers, callees } = sandwich(shown, target);
  return { shown: callees, callers };
}

/** The stacks through the function of a sandwich, as one graph: both halves are made of them. */
export function treeThrough(tree: CallTree, text: string): CallTree {
  return transformTree(tree, throughFunction(text));
}

export function comparisonThrough(comparison: Comparison, text: string): Comparison {
  return transformComparison(comparison, throughFunction(text));
}

function throughFunction(text: string): readonly Transform[] {
  return chainOf(text)
    .filter(({ name }) => name !== "invert")
    .map((transform) => (transform.name === "sandwich" ? { ...transform, name: "focus" } : transform));
}
