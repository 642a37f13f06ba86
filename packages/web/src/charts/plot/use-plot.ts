import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type UPlot from "uplot";
import { useThemeName } from "#charts/model/colours.ts";
import { createPlot, type Drawing, type PlotBox, plotData, plotFont } from "./create-plot.ts";

interface Plot {
  readonly mount: RefObject<HTMLDivElement | null>;
  readonly plot: RefObject<UPlot | null>;
  readonly box: PlotBox | null;
  /** The bucket under the cursor of this chart or of another one in its group. */
  readonly index: number | null;
}

/** Everything that the look of a plot depends on: if it changes, the plot is built again. */
function lookOf({ series, unit, isStacked, heightPx, syncGroup, marks }: Drawing): string {
  const lines = series.map(({ color, dash }) => `${color}${dash === undefined ? "" : "-"}`);
  return JSON.stringify([lines, unit, isStacked, heightPx, syncGroup, marks.length > 0]);
}

function isSameBox(a: PlotBox | null, b: PlotBox): boolean {
  return a?.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;
}

/** Keeps a uPlot in the element of `mount` that shows the drawing. */
export function usePlot(drawing: Drawing): Plot {
  const mount = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const [box, setBox] = useState<PlotBox | null>(null);
  const [index, setIndex] = useState<number | null>(null);
  const theme = useThemeName();
  const look = lookOf(drawing);
  const latest = useRef(drawing);

  const create = useEffectEvent((element: HTMLDivElement, width: number) => {
    latest.current = drawing;
    return createPlot(element, width, {
      drawing: () => latest.current,
      onCursor: setIndex,
      onLayout: (next) => setBox((before) => (isSameBox(before, next) ? before : next)),
    });
  });

  // Before the browser paints, so that a page does not appear first without its charts.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the look and the theme are what a plot is built from
  useLayoutEffect(() => {
    const element = mount.current;
    // Without a canvas, as in tests with a simulated page, the table still has the values.
    if (element === null || typeof Path2D === "undefined") return;
    let isMounted = true;
    let remove = () => {};
    const width = element.clientWidth;
    // Once all charts have read their width: after each new plot, the browser would lay out the page to know the next one's.
    queueMicrotask(() => {
      if (!isMounted) return;
      const created = create(element, width);
      plot.current = created;
      remove = keepInShape(created, element, () => latest.current);
    });
    return () => {
      isMounted = false;
      remove();
      plot.current = null;
      setIndex(null);
    };
  }, [look, theme]);

  // After the effect above: a new plot has the drawing already, and an old one must not get data of another shape.
  useLayoutEffect(() => {
    if (latest.current === drawing) return;
    latest.current = drawing;
    plot.current?.setData(plotData(drawing, plot.current.width));
  }, [drawing]);

  return { mount, plot, box, index: index !== null && index < drawing.timesMs.length ? index : null };
}

/** Makes the plot as wide as its element, and draws its labels with the page's font. @returns how to remove it */
function keepInShape(plot: UPlot, element: HTMLElement, drawing: () => Drawing): () => void {
  let isRemoved = false;
  const observer = new ResizeObserver(() => {
    const width = element.clientWidth;
    if (width === 0 || width === plot.width) return;
    plot.batch(() => {
      plot.setSize({ width, height: plot.height });
      plot.setData(plotData(drawing(), width));
    });
  });
  observer.observe(element);
  // The font can arrive after the plot.
  if (!document.fonts.check(plotFont))
    void document.fonts.load(plotFont).then(() => !isRemoved && plot.redraw(false, true));
  return () => {
    isRemoved = true;
    observer.disconnect();
    plot.destroy();
  };
}
