import type { Hit } from "@flamekeep/flame";
import { type PointerEvent, type RefObject, useEffect, useRef } from "react";
import type { Stage } from "./stage.ts";

interface PointerParts {
  readonly stageRef: RefObject<Stage | null>;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly onHover: (hit: Hit | null) => void;
  readonly onPick: (hit: Hit) => void;
}

/** A press that moves farther than this many pixels drags, and picks nothing. */
const dragFrom = 4;

/** Pointer and wheel: point, click, drag to move sideways, Ctrl and wheel or a pinch to zoom, Shift and wheel to move. */
export function usePointer({ stageRef, scroller, onHover, onPick }: PointerParts) {
  const press = useRef<{ readonly startX: number; x: number; isDragging: boolean } | null>(null);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // React's own wheel listeners are passive and could not keep the page from zooming.
    const onWheel = (event: WheelEvent) => {
      const stage = stageRef.current;
      if (stage === null) return;
      const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const { left, width } = element.getBoundingClientRect();
        stage.zoomBy((event.clientX - left) / width, Math.exp(-event.deltaY * 0.004));
      } else if (event.shiftKey || Math.abs(sideways) > Math.abs(event.deltaY)) {
        event.preventDefault();
        stage.panBy(sideways / stage.widthPx);
      }
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [scroller, stageRef]);

  const hitOf = (event: PointerEvent): Hit | null => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return stageRef.current?.hitAt(event.clientX - left, event.clientY - top) ?? null;
  };

  return {
    onPointerDown(event: PointerEvent) {
      if (event.button === 0) press.current = { startX: event.clientX, x: event.clientX, isDragging: false };
    },
    onPointerMove(event: PointerEvent) {
      const stage = stageRef.current;
      const held = press.current;
      if (stage === null) return;
      if (held === null) return onHover(hitOf(event));
      if (!held.isDragging && Math.abs(event.clientX - held.startX) < dragFrom) return;
      if (!held.isDragging) event.currentTarget.setPointerCapture(event.pointerId);
      held.isDragging = true;
      stage.panBy((held.x - event.clientX) / stage.widthPx);
      held.x = event.clientX;
    },
    onPointerUp(event: PointerEvent) {
      const held = press.current;
      press.current = null;
      if (held === null || held.isDragging) return;
      const hit = hitOf(event);
      if (hit !== null) onPick(hit);
    },
    onPointerCancel() {
      press.current = null;
    },
    onPointerLeave() {
      onHover(null);
    },
  };
}
