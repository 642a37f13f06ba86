import {
  type CallTree,
  type FunctionTotals,
  formatPercent,
  fullNames,
  functionNames,
  functionTotals,
  shownName,
  suggestedFunctions,
  wholeOf,
} from "@flamekeep/flame";
import { useMemo } from "react";
import { useHasAllFrames } from "#flame-graph/decode/all-frames.ts";
import { NameText } from "#flame-graph/rows/name-text.tsx";
import { cx } from "#ui/cx.ts";

interface SuggestionListProps {
  readonly id: string;
  readonly tree: CallTree;
  readonly suggestions: readonly Suggestion[];
  /** Place of the one that Enter chooses; -1 for none. */
  readonly active: number;
  readonly onChoose: (fn: number) => void;
}

/** Functions with their share below the search box, which keeps the focus. */
export function SuggestionList({ id, tree, suggestions, active, onChoose }: SuggestionListProps) {
  const names = functionNames(tree.functions);
  const whole = wholeOf(tree);
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Functions"
      className="absolute top-full left-0 z-40 mt-1 w-max min-w-full max-w-[min(32rem,calc(100vw-2rem))] rounded-card border border-line bg-surface p-1 shadow-float"
    >
      {suggestions.map(({ fn, total }, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the search box has the keys
        <div
          key={fn}
          id={suggestionId(id, place)}
          role="option"
          tabIndex={-1}
          aria-selected={place === active}
          // The search box keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(fn)}
          className={cx(
            "flex h-8 cursor-pointer items-center justify-between gap-4 rounded-control px-2.5 hover:bg-surface-2 max-md:h-10",
            place === active && "bg-surface-2",
          )}
        >
          <NameText name={names[fn]!} fullName={shownName(fullNames(tree.functions)[fn]!)} />
          <span className="shrink-0 text-label text-muted tabular-nums">{formatPercent(total, whole)}</span>
        </div>
      ))}
    </div>
  );
}

export function suggestionId(list: string, place: number): string {
  return `${list}-${place}`;
}

const suggestionsMax = 8;

/** Totals by tree: they are needed only once somebody types. */
const totalsOf = new WeakMap<CallTree, FunctionTotals>();

export interface Suggestion {
  readonly fn: number;
  readonly total: number;
}

/** Functions for a text that somebody types, the largest first; none for no text. */
export function useSuggestions(tree: CallTree, text: string): readonly Suggestion[] {
  const hasAllFrames = useHasAllFrames();
  return useMemo(() => {
    if (text.trim() === "" || !hasAllFrames) return [];
    let totals = totalsOf.get(tree);
    if (totals === undefined) {
      totals = functionTotals(tree);
      totalsOf.set(tree, totals);
    }
    const { total } = totals;
    return suggestedFunctions(tree, totals, text, suggestionsMax).map((fn) => ({ fn, total: total[fn]! }));
  }, [tree, text, hasAllFrames]);
}
