import { type RefObject, useLayoutEffect, useState } from "react";

interface Place {
  readonly width: number;
  /** Distance from the top of the document. */
  readonly top: number;
}

/** Width and place of an element in the document, measured before the first paint and again when the page's layout changes. */
export function useElementPlace(element: RefObject<HTMLElement | null>): Place {
  const [place, setPlace] = useState<Place>({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const measure = () => {
      const { width, top } = target.getBoundingClientRect();
      const next = { width, top: Math.round(top + window.scrollY) };
      setPlace((before) => (before.width === next.width && before.top === next.top ? before : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    // Content above the element moves it without changing its size.
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return place;
}
