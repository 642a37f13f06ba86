import type { CallTree } from "@flamekeep/flame";
import type { Comparison } from "@flamekeep/flame/compare";
import { useMemo, useState } from "react";
import type { Transformed } from "./apply.ts";
import { useTransformParts } from "./lazy-parts.tsx";

/** The tree after a chain of transforms. While their code is loaded, the one before; undefined if there was none. */
export function useTransformedTree(tree: CallTree, text: string): Transformed<CallTree> | undefined {
  const parts = useTransformParts(text !== "");
  const current = useMemo(
    () => (text === "" ? untouched(tree) : parts?.transformedTree(tree, text)),
    [tree, text, parts],
  );
  return useLast(current);
}

/** As `useTransformedTree`, of a comparison. */
export function useTransformedComparison(
  comparison: Comparison,
  text: string,
): Transformed<Comparison> | undefined {
  const parts = useTransformParts(text !== "");
  const current = useMemo(
    () => (text === "" ? untouched(comparison) : parts?.transformedComparison(comparison, text)),
    [comparison, text, parts],
  );
  return useLast(current);
}

function untouched<T>(source: T): Transformed<T> {
  return { shown: source, callers: null };
}

function useLast<T>(current: T | undefined): T | undefined {
  const [last, setLast] = useState(current);
  if (current !== undefined && current !== last) setLast(current);
  return current ?? last;
}
