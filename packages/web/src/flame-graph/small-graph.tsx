import {
  type CallTree,
  formatPercent,
  formatValue,
  functionNames,
  type Hit,
  levelOf,
  nodeColours,
  sortedFunctions,
  totalsByColumn,
  wholeOf,
} from "@flamekeep/flame";
import { type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import { cx } from "#ui/cx.ts";
import { useReducedMotion } from "#ui/hooks/use-media.ts";
import { subscribeTheme } from "#ui/theme-colour.ts";
import { paletteFor, type Scene } from "./canvas/scene.ts";
import { Stage } from "./canvas/stage.ts";
import { coloursOf, type ThemeColours } from "./canvas/theme-colours.ts";

interface SmallGraphProps {
  readonly tree: CallTree;
  /** The data that is drawn: a sentence without a full stop. */
  readonly source: string;
  /** The quantity in words, such as `CPU`. */
  readonly quantity: string;
  readonly captionClass: string;
}

const wholeGraph = { hover: -1, zoom: 0 };

/** A flame graph without controls: a pointer names functions, a click zooms. It fills its parent. */
export function SmallGraph({ tree, source, quantity, captionClass }: SmallGraphProps) {
  const [{ of, hover, zoom }, setView] = useState({ of: tree, ...wholeGraph });
  // Places in another tree mean nothing in this one.
  if (of !== tree) setView({ of: tree, ...wholeGraph });
  const setHover = (node: number) =>
    setView((view) => (view.hover === node ? view : { ...view, hover: node }));
  const setZoom = (node: number) => setView((view) => ({ ...view, zoom: node }));
  const { frame, hitAt, leave } = useStage(tree, zoom);
  // A pointer that moves draws this again; the sums are over all frames.
  const largest = useMemo(() => largestFunctions(tree), [tree]);

  function nodeAt(event: MouseEvent): number {
    const hit = hitAt(event);
    return hit === null ? -1 : hit.kind === "elided" ? hit.parent : hit.node;
  }

  return (
    <div className="flex h-full flex-col">
      <p className={cx("flex w-full flex-wrap items-center gap-x-6 gap-y-1 pb-3 text-code", captionClass)}>
        <span className="min-w-0 flex-1 md:truncate">
          {hover === -1 ? (
            <span className="text-muted">{source}</span>
          ) : (
            <FrameDetails tree={tree} node={hover} quantity={quantity} />
          )}
        </span>
        {zoom === 0 ? (
          <span className="text-muted max-md:hidden">Point at a function, click to zoom</span>
        ) : (
          <button type="button" onClick={() => setZoom(0)} className="text-accent-text hover:underline">
            Show all
          </button>
        )}
      </p>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a picture; the page that it is taken from has the graph that keys can move in */}
      <div
        ref={frame}
        role="img"
        aria-label={`Flame graph. ${source}. ${largest}`}
        className="relative min-h-0 flex-1 cursor-pointer overflow-hidden"
        onMouseMove={(event) => setHover(nodeAt(event))}
        onMouseLeave={() => {
          leave();
          setHover(-1);
        }}
        onClick={(event) => setZoom(Math.max(0, nodeAt(event)))}
      >
        <canvas className="absolute inset-0 size-full" />
        <canvas className="pointer-events-none absolute inset-0 size-full" />
        <div className="pointer-events-none invisible absolute top-0 left-0 border-2 border-text" />
      </div>
    </div>
  );
}

interface FrameDetailsProps extends Pick<SmallGraphProps, "tree" | "quantity"> {
  readonly node: number;
}

function FrameDetails({ tree, node, quantity }: FrameDetailsProps) {
  const total = tree.total[node]!;
  return (
    <>
      <span className="font-mono">{functionNames(tree.functions)[tree.fn[node]!]}</span>
      <span className="ml-3 text-muted">
        {formatValue(total, tree.valueType.unit)} of {quantity}, {formatPercent(total, wholeOf(tree))}
      </span>
    </>
  );
}

const namedFunctions = 3;

function largestFunctions(tree: CallTree): string {
  const names = [...sortedFunctions(tree, totalsByColumn(tree), { value: "self", of: 0 }, true)]
    .slice(0, namedFunctions)
    .map((fn) => functionNames(tree.functions)[fn]!);
  return `Largest self values: ${names.join(", ")}.`;
}

function sceneOf(tree: CallTree, zoom: number, colours: ThemeColours): Scene {
  return {
    tree,
    focus: 0,
    focusLevel: 0,
    direction: "down",
    zoom,
    zoomLevel: levelOf(tree, zoom),
    search: null,
    selected: -1,
    outlined: -1,
    colours,
    palette: paletteFor("package", colours),
    colourOf: nodeColours(tree, "package"),
    names: functionNames(tree.functions),
  };
}

/** Draws the tree into the frame's canvases. */
function useStage(tree: CallTree, zoom: number) {
  const frame = useRef<HTMLDivElement>(null);
  const stage = useRef<Stage | null>(null);
  const isMotionReduced = useReducedMotion();

  useEffect(() => {
    const scroller = frame.current;
    const [canvas, overlay] = scroller?.querySelectorAll("canvas") ?? [];
    const pointer = scroller?.querySelector("div");
    if (!(scroller && canvas && overlay && pointer)) return;
    const made = new Stage({ canvas, overlay, pointer, scroller });
    stage.current = made;
    const observer = new ResizeObserver(() => made.resize(scroller.clientWidth, scroller.clientHeight));
    observer.observe(scroller);
    void document.fonts.ready.then(() => made.redraw());
    return () => {
      observer.disconnect();
      made.dispose();
    };
  }, []);

  useEffect(() => {
    function show() {
      if (frame.current === null) return;
      stage.current?.show(sceneOf(tree, zoom, coloursOf(frame.current)), isMotionReduced);
    }
    show();
    return subscribeTheme(show);
  }, [tree, zoom, isMotionReduced]);

  function hitAt(event: MouseEvent): Hit | null {
    const bounds = frame.current?.getBoundingClientRect();
    if (bounds === undefined) return null;
    const hit = stage.current?.hitAt(event.clientX - bounds.left, event.clientY - bounds.top) ?? null;
    stage.current?.hover(hit);
    return hit;
  }

  return { frame, hitAt, leave: () => stage.current?.hover(null) };
}
