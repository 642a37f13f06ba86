import type { CallTree } from "@flamekeep/flame";
import {
  chainOf,
  chainText,
  sandwichTree,
  type Transform,
  transformTree,
  withoutTransform,
  withTransform,
} from "@flamekeep/flame/transform";

/** A graph after a chain of transforms. */
export interface Transformed {
  /** The callees where the chain has a sandwich, then below the root and the function itself. */
  readonly shown: CallTree;
  /** The callers of the sandwich's function, below the root and the function itself; null without a sandwich. */
  readonly callers: CallTree | null;
}

/**
 * The graph after a chain. The sandwich is the last step wherever it is in the chain: it makes two graphs of the one that all others leave. A link may have an
 * inversion next to it, which would exchange callers and callees, and is therefore left out.
 */
export function transformed(source: CallTree, text: string): Transformed {
  const chain = chainOf(text);
  const target = chain.findLast(({ name }) => name === "sandwich")?.target;
  if (target === undefined) return { shown: transformTree(source, chain), callers: null };
  const shown = transformTree(
    source,
    chain.filter(({ name }) => name !== "invert" && name !== "sandwich"),
  );
  const { callers, callees } = sandwichTree(shown, target);
  return { shown: callees, callers };
}

/** The stacks through the function of a sandwich, as one graph: both halves are made of them. */
export function throughFunction(source: CallTree, text: string): CallTree {
  const chain = chainOf(text)
    .filter(({ name }) => name !== "invert")
    .map((step) => (step.name === "sandwich" ? ({ ...step, name: "focus" } as const) : step));
  return transformTree(source, chain);
}

/** The chain with a step, or without it if it has it. */
export function toggled(text: string, transform: Transform): string {
  const chain = chainOf(text);
  const at = chain.findIndex((each) => chainText([each]) === chainText([transform]));
  return chainText(at === -1 ? withTransform(chain, transform) : withoutTransform(chain, at));
}

/** The chain without its last step. */
export function undone(text: string): string {
  return chainText(chainOf(text).slice(0, -1));
}
