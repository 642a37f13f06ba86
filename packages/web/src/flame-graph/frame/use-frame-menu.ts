import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { importOnce } from "#api/import-page.ts";
import type { OpenMenu } from "./frame-menu.tsx";

const load = importOnce(async () => (await import("./frame-menu.tsx")).FrameMenu);

const prepare = () => void load().catch(console.warn);

/** The long-press delay of systems that open context menus themselves. */
const longPressMs = 500;
const stillPx = 10;
/** Browsers send the events of a click for a finger that is lifted, some of them late. They must not close the menu. */
const afterLiftMs = 400;

/**
 * The menu of a frame: opened by a right click, the menu key or a long press, which some phones do not report as a click. Its code is
 * loaded when a pointer or the focus reaches the graph.
 *
 * @param nodeAt the frame for which it opens, or -1 for none
 */
export function useFrameMenu(nodeAt: () => number) {
  const [Menu, setMenu] = useState<Awaited<ReturnType<typeof load>>>();
  const [open, setOpen] = useState<OpenMenu>();
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined);
  /** Whether the finger that opened the menu is still down, or was just lifted. */
  const isHeld = useRef(false);
  const lift = useRef<ReturnType<typeof setTimeout>>(undefined);
  const endPress = () => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  const endContact = () => {
    endPress();
    clearTimeout(lift.current);
    lift.current = setTimeout(() => {
      isHeld.current = false;
    }, afterLiftMs);
  };
  useEffect(
    () => () => {
      clearTimeout(press.current?.timer);
      clearTimeout(lift.current);
    },
    [],
  );
  const openAt = (x: number, y: number) => {
    const node = nodeAt();
    if (node === -1) return false;
    setOpen({ node, x, y });
    load().then((loaded) => setMenu(() => loaded), console.warn);
    return true;
  };
  return {
    Menu,
    open,
    /** @param isByPress whether the press of a pointer outside of the menu closes it */
    close(isByPress: boolean) {
      if (!isByPress || !isHeld.current) setOpen(undefined);
    },
    /** Whether the finger on the graph opens its menu: lifting it is then no tap. */
    isHeld: () => isHeld.current,
    triggerProps: {
      onPointerEnter: prepare,
      onFocus: prepare,
      onContextMenu(event: MouseEvent) {
        const isByFinger = press.current !== undefined;
        endPress();
        if (!openAt(event.clientX, event.clientY)) return;
        isHeld.current = isByFinger;
        event.preventDefault();
      },
      onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) {
        endPress();
        if (pointerType !== "touch" || !isPrimary) return;
        const timer = setTimeout(() => {
          isHeld.current = openAt(x, y);
        }, longPressMs);
        press.current = { timer, x, y };
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        const { x = clientX, y = clientY } = press.current ?? {};
        if (Math.hypot(clientX - x, clientY - y) > stillPx) endPress();
      },
      onPointerUp: endContact,
      onPointerCancel: endContact,
    },
  };
}
