import {
  type Contact,
  contactDown,
  contactMoved,
  contactUp,
  type Gesture,
  type Hit,
  idle,
  type Motion,
} from "@flamekeep/flame";
import { type PointerEvent, type RefObject, useEffect, useRef } from "react";
import type { Stage } from "./stage.ts";

interface PointerParts {
  readonly stageRef: RefObject<Stage | null>;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly onHover: (hit: Hit | null) => void;
  /** A click. */
  readonly onPick: (hit: Hit) => void;
  /** A tap, also outside of the frames: touch has no hover, so taps select. */
  readonly onTap: (hit: Hit | null) => void;
}

/** Mouse, pen and fingers: point, click, tap, drag to move sideways, two fingers to zoom and to move. */
export function usePointer({ stageRef, scroller, onHover, onPick, onTap }: PointerParts) {
  const gesture = useRef<Gesture>(idle);
  useWheel({ stageRef, scroller });

  const follow = ({ factor, atPx, panPx, scrollPx }: Motion) => {
    const stage = stageRef.current;
    if (stage === null) return;
    if (factor !== 1) stage.zoomBy(atPx / stage.widthPx, factor);
    stage.panBy(panPx / stage.widthPx);
    if (scroller.current !== null) scroller.current.scrollTop += scrollPx;
  };
  const hitOf = (event: PointerEvent): Hit | null => {
    const { x, y } = contactOf(event);
    return stageRef.current?.hitAt(x, y) ?? null;
  };
  const endContact = (event: PointerEvent): boolean => {
    const next = contactUp(gesture.current, event.pointerId);
    gesture.current = next.gesture;
    return next.isTap;
  };

  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      gesture.current = contactDown(gesture.current, contactOf(event));
      if (isFinger(event)) onHover(gesture.current.kind === "press" ? hitOf(event) : null);
    },
    onPointerMove(event: PointerEvent) {
      // The button was released outside of the graph.
      if (event.buttons === 0) gesture.current = idle;
      if (gesture.current.kind === "idle") return onHover(hitOf(event));
      const { gesture: next, motion } = contactMoved(gesture.current, contactOf(event));
      gesture.current = next;
      if (motion === null) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      if (isFinger(event)) onHover(null);
      follow(motion);
    },
    onPointerUp(event: PointerEvent) {
      if (!endContact(event)) return;
      const hit = hitOf(event);
      if (isFinger(event)) onTap(hit);
      else if (hit !== null) onPick(hit);
    },
    onPointerCancel(event: PointerEvent) {
      endContact(event);
      onHover(null);
    },
    onPointerLeave(event: PointerEvent) {
      // Lifting a finger also fires this event; the touched frame stays selected.
      if (!isFinger(event)) onHover(null);
    },
  };
}

function isFinger({ pointerType }: PointerEvent): boolean {
  return pointerType === "touch";
}

function contactOf({ pointerId, clientX, clientY, currentTarget }: PointerEvent): Contact {
  const { left, top } = currentTarget.getBoundingClientRect();
  return { id: pointerId, x: clientX - left, y: clientY - top };
}

interface WheelParts {
  readonly stageRef: RefObject<Stage | null>;
  readonly scroller: RefObject<HTMLElement | null>;
}

/**
 * Zooms by Ctrl and wheel or a trackpad's pinch, and pans by Shift and wheel. Prevents the browser from zooming or scrolling the page
 * by these and by two fingers. React's listeners are passive and cannot do that.
 */
function useWheel({ stageRef, scroller }: WheelParts): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
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
    const onTouch = (event: TouchEvent) => {
      if (event.touches.length > 1 && event.cancelable) event.preventDefault();
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    element.addEventListener("touchstart", onTouch, { passive: false });
    element.addEventListener("touchmove", onTouch, { passive: false });
    return () => {
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("touchstart", onTouch);
      element.removeEventListener("touchmove", onTouch);
    };
  }, [scroller, stageRef]);
}
