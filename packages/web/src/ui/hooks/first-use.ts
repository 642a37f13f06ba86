import { type HTMLAttributes, type RefCallback, useCallback, useEffect, useRef, useState } from "react";

interface FirstUse<T> {
  readonly parts: T;
  /** A keyboard has opened it, so its first item is to be selected. */
  readonly isByKeyboard: boolean;
}

/**
 * The code of overlays is loaded when a pointer or the focus reaches the trigger, which is usually long before the click. A click
 * or an arrow key shows the overlay when its code is there.
 */
export function useFirstUse<T>(load: () => Promise<T>, popup: "menu" | "listbox" | "dialog") {
  const [used, setUsed] = useState<FirstUse<T>>();
  const use = (isByKeyboard: boolean) => {
    load().then((parts) => setUsed({ parts, isByKeyboard }), console.warn);
  };
  const prepare = () => void load().catch(console.warn);
  const triggerProps: HTMLAttributes<HTMLElement> = {
    "aria-haspopup": popup,
    "aria-expanded": false,
    onPointerEnter: prepare,
    onFocus: prepare,
    // A key press clicks too, without a pointer's click count.
    onClick: ({ detail }) => use(detail === 0),
    onKeyDown(event) {
      if (popup === "dialog" || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
      event.preventDefault();
      use(true);
    },
  };
  return { used, triggerProps };
}

/**
 * For the trigger of an opened overlay, which is a new element: it takes over the focus of the one that was used, and a click
 * if the keyboard was used, as only that selects the first item.
 */
export function useTakeover(isByKeyboard: boolean): RefCallback<HTMLElement> {
  const trigger = useRef<HTMLElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    trigger.current?.focus({ preventScroll: true });
    if (isByKeyboard) trigger.current?.click();
  }, [isByKeyboard]);
  return useCallback((element) => {
    trigger.current = element;
  }, []);
}

const presses = ["pointerdown", "keydown"] as const;

/**
 * Loads code that somebody needs who does more than look, at the first press of a key or a pointer: it is there at once later, even if
 * the server does not respond by then.
 */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const stop = new AbortController();
    const start = () => {
      stop.abort();
      void load().catch(console.warn);
    };
    for (const press of presses)
      document.addEventListener(press, start, { capture: true, signal: stop.signal });
    return () => stop.abort();
  }, [load]);
}
