import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";

/** Milliseconds before a tooltip opens, in the collapsed sidebar sooner, and within which the next one opens at once. */
export const tooltipDelays = { open: 700, sidebar: 100, skip: 300 } as const;

/** Milliseconds for the way of the pointer from the element to its tooltip. */
const graceMs = 100;
const distancePx = 8;
const marginPx = 5;

type Side = "top" | "right" | "bottom";

interface TooltipProps {
  readonly content: ReactNode;
  readonly side?: Side;
  /** Milliseconds before it opens. */
  readonly delay?: number;
  readonly isDisabled?: boolean;
  /** One element that takes event handlers, and has none for pointers and the focus. */
  readonly children: ReactElement<HTMLAttributes<Element>>;
}

/** Small enough to be part of every page, unlike a library's tooltip with its positioning. */
export function Tooltip(props: TooltipProps) {
  const { content, side = "top", delay = tooltipDelays.open, isDisabled = false, children } = props;
  const { anchor, triggerProps, popupProps } = useTooltip(delay);
  return (
    <>
      {cloneElement(children, isDisabled ? {} : triggerProps)}
      {anchor !== undefined &&
        !isDisabled &&
        createPortal(
          <Popup anchor={anchor} side={side} {...popupProps}>
            {content}
          </Popup>,
          document.body,
        )}
    </>
  );
}

let closedAtMs = Number.NEGATIVE_INFINITY;

/** The element whose tooltip is open, and the handlers that open and close it. */
function useTooltip(delayMs: number) {
  const [anchor, setAnchor] = useState<Element>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const close = useCallback(() => {
    clearTimeout(timer.current);
    setAnchor((open) => {
      if (open !== undefined) closedAtMs = performance.now();
      return undefined;
    });
  }, []);
  const after = (ms: number, change: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(change, ms);
  };

  const isOpen = anchor !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = ({ key }: KeyboardEvent) => key === "Escape" && close();
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => document.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [isOpen, close]);

  return {
    anchor,
    triggerProps: {
      onPointerEnter({ currentTarget, pointerType }: PointerEvent) {
        if (pointerType === "touch") return;
        const isNext = performance.now() - closedAtMs < tooltipDelays.skip;
        after(isNext ? 0 : delayMs, () => setAnchor(currentTarget));
      },
      onPointerLeave: () => after(graceMs, close),
      onPointerDown: close,
      onFocus: ({ currentTarget }: FocusEvent) =>
        currentTarget.matches(":focus-visible") && setAnchor(currentTarget),
      onBlur: close,
    },
    popupProps: {
      onPointerEnter: () => clearTimeout(timer.current),
      onPointerLeave: () => after(graceMs, close),
    },
  };
}

interface PopupProps extends Pick<HTMLAttributes<Element>, "onPointerEnter" | "onPointerLeave"> {
  readonly anchor: Element;
  readonly side: Side;
  readonly children: ReactNode;
}

function Popup({ anchor, side, children, ...handlers }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { style, offsetWidth: width, offsetHeight: height } = popup.current!;
    const { x, y } = placeOf(anchor.getBoundingClientRect(), { width, height }, side);
    style.left = `${Math.max(marginPx, Math.min(x, window.innerWidth - width - marginPx))}px`;
    style.top = `${Math.max(marginPx, Math.min(y, window.innerHeight - height - marginPx))}px`;
  });
  return (
    <div
      ref={popup}
      className="fixed top-0 left-0 z-50 w-max max-w-80 rounded-control bg-text px-2.5 py-1.5 text-bg text-label opacity-100 shadow-float transition-opacity duration-120 starting:opacity-0"
      {...handlers}
    >
      {children}
    </div>
  );
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The upper left corner of a popup in the middle of one side of its anchor. */
function placeOf(anchor: DOMRect, { width, height }: Size, side: Side): { x: number; y: number } {
  const middleX = anchor.x + (anchor.width - width) / 2;
  if (side === "top") return { x: middleX, y: anchor.y - height - distancePx };
  if (side === "bottom") return { x: middleX, y: anchor.bottom + distancePx };
  return { x: anchor.right + distancePx, y: anchor.y + (anchor.height - height) / 2 };
}
