import { type RefObject, useEffect } from "react";
import type { Stage } from "./stage.ts";

interface WheelParts {
  readonly stageRef: RefObject<Stage | null>;
  readonly scroller: RefObject<HTMLElement | null>;
}

/**
 * Zooms by Ctrl and wheel or a trackpad's pinch, and pans by Shift and wheel. Prevents the browser from zooming or scrolling the page
 * by these and by two fingers. React's listeners are passive and cannot do that.
 */
export function useWheel({ stageRef, scroller }: WheelParts): void {
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
