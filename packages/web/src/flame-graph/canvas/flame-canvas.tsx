import { type Hit, levelOf, rowHeight, topPadding } from "@flamekeep/flame";
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { cx } from "#ui/cx.ts";
import { useReducedMotion } from "#ui/hooks/use-media.ts";
import type { Scene } from "./scene.ts";
import { Stage } from "./stage.ts";
import { usePointer } from "./use-pointer.ts";

interface FlameCanvasProps {
  readonly scene: Scene;
  /** Rows of the drawing, for the scroll bar. */
  readonly rows: number;
  readonly heightPx: number;
  /** One of two drawings of the same width, whether they scroll or not. */
  readonly isHalf: boolean;
  readonly stageRef: RefObject<Stage | null>;
  /** The element with the focus. */
  readonly elementRef: RefObject<HTMLDivElement | null>;
  readonly label: string;
  readonly onHover: (hit: Hit | null) => void;
  readonly onPick: (hit: Hit) => void;
  readonly onTap: (hit: Hit | null) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Draws on the elements of the canvas as long as it is mounted. */
function useStage({ scene, stageRef, elementRef: scroller }: FlameCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const pointerFrame = useRef<HTMLDivElement>(null);
  const isMotionReduced = useReducedMotion();

  useEffect(() => {
    const frame = scroller.current;
    if (canvas.current === null || overlay.current === null || frame === null) return;
    if (pointerFrame.current === null) return;
    const parts = { canvas: canvas.current, overlay: overlay.current, pointer: pointerFrame.current };
    const stage = new Stage({ ...parts, scroller: frame });
    stageRef.current = stage;
    const observer = new ResizeObserver(() => stage.resize(frame.clientWidth, frame.clientHeight));
    observer.observe(frame);
    void document.fonts.ready.then(() => stage.redraw());
    return () => {
      observer.disconnect();
      stage.dispose();
      stageRef.current = null;
    };
  }, [stageRef, scroller]);

  useEffect(() => {
    stageRef.current?.show(scene, isMotionReduced);
  }, [scene, isMotionReduced, stageRef]);

  const { selected, tree } = scene;
  useEffect(() => {
    if (selected !== -1) stageRef.current?.reveal(levelOf(tree, selected));
  }, [selected, tree, stageRef]);

  return { canvas, overlay, pointerFrame, scroller };
}

/** The canvas fills the panel and stays in place while a spacer as tall as the tree scrolls behind it. */
export function FlameCanvas(props: FlameCanvasProps) {
  const { rows, heightPx, isHalf, stageRef, label, onKeyDown } = props;
  const { zoomLevel, focusLevel } = props.scene;
  const { canvas, overlay, pointerFrame, scroller } = useStage(props);
  const pointer = usePointer({ ...props, scroller });
  // The function of a sandwich is not in the half of its callers, which must not grow by its row.
  const zoomRow = Math.max(0, zoomLevel - focusLevel);
  const isUpwards = props.scene.direction === "up";
  const contentPx = isUpwards ? rows * rowHeight : topPadding + (rows + 1) * rowHeight;
  // Callers have their callees below them, not the end of the card.
  const corners = !isUpwards && "rounded-b-card";

  return (
    <div
      ref={scroller}
      role="application"
      aria-roledescription="flame graph"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the arrow keys
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={() => stageRef.current?.redraw()}
      className={cx(
        "group relative scroll-mt-56 cursor-pointer touch-pan-y overflow-x-hidden overflow-y-auto outline-none",
        isHalf && "[scrollbar-gutter:stable]",
        corners,
      )}
      style={{ height: heightPx }}
      {...pointer}
    >
      <div className="sticky top-0 h-0">
        <canvas
          ref={canvas}
          aria-hidden
          className="absolute top-0 left-0 w-full"
          style={{ height: heightPx }}
        />
        <canvas
          ref={overlay}
          aria-hidden
          className="pointer-events-none absolute top-0 left-0 w-full"
          style={{ height: heightPx }}
        />
        <div
          className="pointer-events-none absolute top-0 left-0 w-full overflow-hidden"
          style={{ height: heightPx }}
        >
          <div ref={pointerFrame} className="invisible absolute top-0 left-0 border-2 border-text" />
        </div>
        {/* The browser's focus outline would be hidden below the canvases. */}
        <div
          aria-hidden
          className={cx(
            "pointer-events-none absolute top-0 left-0 hidden w-full border-3 border-accent group-focus-visible:block",
            corners,
          )}
          style={{ height: heightPx }}
        />
      </div>
      <div style={{ height: contentPx }} />
      {/* Where the zoomed frame is drawn, for scrolling to it with some rows around it. */}
      <div
        data-zoomed
        className="pointer-events-none absolute left-0 w-full scroll-mt-56 scroll-mb-40"
        style={{
          height: rowHeight,
          top: isUpwards ? contentPx - (zoomRow + 1) * rowHeight : topPadding + zoomRow * rowHeight,
        }}
      />
    </div>
  );
}
