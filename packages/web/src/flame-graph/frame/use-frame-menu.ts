import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { importOnce } from "#api/import-page.ts";
import { usePreload } from "#ui/hooks/use-preload.ts";
import type { OpenMenu } from "./frame-menu.tsx";

const load = importOnce(async () => (await import("./frame-menu.tsx")).FrameMenu);

/** As long as systems wait that open menus themselves. */
const longPressMs = 500;
const stillPx = 10;

/**
 * The menu of a frame: opened by a right click, the menu key or a long press, which some phones do not report as a click. Its code is
 * loaded after the page.
 *
 * @param nodeAt the frame for which it opens, or -1 for none
 */
export function useFrameMenu(nodeAt: () => number) {
  usePreload(load);
  const [Menu, setMenu] = useState<Awaited<ReturnType<typeof load>>>();
  const [open, setOpen] = useState<OpenMenu>();
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined);
  const endPress = () => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  useEffect(() => () => clearTimeout(press.current?.timer), []);
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
    close: () => setOpen(undefined),
    triggerProps: {
      onContextMenu(event: MouseEvent) {
        endPress();
        if (openAt(event.clientX, event.clientY)) event.preventDefault();
      },
      onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) {
        endPress();
        if (pointerType !== "touch" || !isPrimary) return;
        press.current = { timer: setTimeout(() => openAt(x, y), longPressMs), x, y };
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        const { x = clientX, y = clientY } = press.current ?? {};
        if (Math.hypot(clientX - x, clientY - y) > stillPx) endPress();
      },
      onPointerUp: endPress,
      onPointerCancel: endPress,
    },
  };
}
