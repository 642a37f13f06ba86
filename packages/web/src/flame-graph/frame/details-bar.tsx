import { functionNames } from "@flamekeep/flame";
import { useDeferredValue, useMemo } from "react";
import { useHasAllFrames } from "#flame-graph/decode/all-frames.ts";
import { nodeOf } from "#flame-graph/reading/frame-text.ts";
import type { DrawnTree, Reading } from "#flame-graph/reading/reading.ts";
import { cx } from "#ui/cx.ts";
import { type HoverStore, useHover } from "./hover-store.ts";
import { SourceLink } from "./source-links.tsx";

interface Half<Tree extends DrawnTree | null> {
  readonly tree: Tree;
  readonly hover: HoverStore;
  /** The selected frame, or -1. */
  readonly selected: number;
}

interface Halves {
  /** The lower half of a sandwich, or the only graph. */
  readonly lower: Half<DrawnTree>;
  /** Shown while no frame is hovered or selected. */
  readonly zoom: number;
  /** Its tree is null without a sandwich. */
  readonly upper: Half<DrawnTree | null>;
}

interface DetailsBarProps extends Halves {
  readonly reading: Reading;
  /** Selects a function of the only graph. */
  readonly onSelectFunction?: (fn: number) => void;
}

/** Details of the frame under the pointer, else of the selected one, in a fixed place. */
export function DetailsBar({ reading, onSelectFunction, ...halves }: DetailsBarProps) {
  const { tree, node, isElided } = useShownFrame(halves);
  const details = reading.detailsOf(tree, node, isElided);
  const isSentence = typeof details === "string";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      role="group"
      aria-label="Frame"
      className={cx(
        "h-11 bg-surface px-4 max-md:sticky max-md:top-16 max-md:z-20",
        isSentence
          ? "flex items-center text-muted"
          : "grid content-center gap-x-6 sm:grid-cols-[minmax(0,1fr)_auto]",
      )}
    >
      {isSentence ? (
        <p className="truncate">{details}</p>
      ) : (
        <>
          <div className="flex min-w-0 flex-col">
            <span className="truncate font-medium font-mono text-code" title={details.fullName}>
              {details.name}
            </span>
            <div className="hidden min-w-0 gap-x-3 text-label text-muted sm:flex">
              <span className="truncate">
                {details.about}
                {!isElided && <SourceLink tree={tree} node={node} />}
              </span>
              {node === 0 && halves.upper.tree === null && onSelectFunction !== undefined && (
                <Hottest {...{ reading, tree }} onSelect={onSelectFunction} />
              )}
            </div>
          </div>
          <dl
            className={cx(
              "flex h-5 items-center overflow-hidden whitespace-nowrap sm:h-auto sm:gap-x-6",
              details.factsClass,
            )}
          >
            {details.facts}
          </dl>
        </>
      )}
    </div>
  );
}

interface HottestProps {
  readonly reading: Reading;
  readonly tree: DrawnTree;
  readonly onSelect: (fn: number) => void;
}

/** The first thing to look at in a graph without a selection. */
function Hottest({ reading, tree, onSelect }: HottestProps) {
  // The sums are over all frames: a large graph is drawn first.
  const summed = useDeferredValue<DrawnTree | null>(tree, null);
  const hottest = useMemo(() => summed && reading.hottestOf?.(summed), [reading, summed]);
  if (!useHasAllFrames() || !hottest || summed !== tree) return null;
  const name = functionNames(tree.functions)[hottest.fn];
  return (
    <span className="flex min-w-0 gap-x-1">
      <span className="shrink-0">Hottest outside the runtime:</span>
      <button
        type="button"
        title={name}
        className="min-w-0 max-w-80 truncate font-mono text-text underline-offset-2 hover:underline"
        onClick={() => onSelect(hottest.fn)}
      >
        {name}
      </button>
      <span className="shrink-0">{hottest.share} self</span>
    </span>
  );
}

/** The frame of the half with the pointer, else of the half with the selected frame. */
function useShownFrame({ lower, zoom, upper }: Halves) {
  const above = useHover(upper.hover, upper.tree ?? lower.tree);
  const below = useHover(lower.hover, lower.tree);
  const isAbove = above !== null || (below === null && upper.selected !== -1);
  const shown =
    upper.tree !== null && isAbove
      ? { tree: upper.tree, hit: above, node: Math.max(upper.selected, 0) }
      : { tree: lower.tree, hit: below, node: lower.selected === -1 ? zoom : lower.selected };
  const { tree, hit } = shown;
  return { tree, node: hit === null ? shown.node : nodeOf(hit), isElided: hit?.kind === "elided" };
}
