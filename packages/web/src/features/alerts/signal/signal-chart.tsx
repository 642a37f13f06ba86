import type { Alert } from "@flamekeep/contract";
import { Suspense, useEffect, useRef, useState } from "react";
import { lazyPart } from "#api/import-page.ts";
import { cx } from "#ui/cx.ts";

const DrawnSignal = lazyPart(async () => (await import("./drawn-signal.tsx")).DrawnSignal);

const heights = { row: 32, card: 48, page: 96 } as const;

/** The values of a signal over time, read when its place comes on the screen. Nothing where there is no series. */
export function SignalChart({ alert, size }: { readonly alert: Alert; readonly size: keyof typeof heights }) {
  const place = useRef<HTMLDivElement>(null);
  const wasOnScreen = useWasOnScreen(place);
  if (!hasChart(alert)) return null;
  const heightPx = heights[size];
  return (
    <div
      ref={place}
      className={cx("min-w-0", size === "row" && "w-24 2xl:w-40")}
      style={{ minHeight: heightPx }}
    >
      {wasOnScreen && (
        <Suspense>
          <DrawnSignal alert={alert} heightPx={heightPx} hasAxis={size === "page"} />
        </Suspense>
      )}
    </div>
  );
}

/** True from the first time that the element is on the screen. */
function useWasOnScreen(place: React.RefObject<HTMLElement | null>): boolean {
  const [was, setWas] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (was || element === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setWas(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, was]);
  return was;
}

/** Whether there is a series of the compared values. No call gives several instances apart from the others, a function, or uploads by the hour. */
export function hasChart({ instances, signal }: Pick<Alert, "instances" | "signal">): boolean {
  return instances === undefined && signal !== "silence" && signal !== "function";
}
