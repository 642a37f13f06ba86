import { GripVertical } from "lucide-react";
import { type PointerEvent, useEffect, useRef } from "react";

const prefix = "panel-";

/** The id of the element of a panel, which another one can be dropped on. */
export function panelElementId(id: string): string {
  return `${prefix}${id}`;
}

interface DragHandleProps {
  readonly id: string;
  /** Called with the panel below the pointer, and undefined where there is none and after the drag. */
  readonly onOver: (target: string | undefined) => void;
  readonly onDrop: (target: string) => void;
}

/** Drags a panel to the place of another one. Escape cancels. The buttons next to it do the same by keyboard. */
export function DragHandle({ id, onOver, onDrop }: DragHandleProps) {
  const target = useRef<string>(undefined);
  const cancel = useRef(() => {});
  useEffect(() => () => cancel.current(), []);

  function start(event: PointerEvent<HTMLSpanElement>) {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    const { pointerId } = event;
    handle.setPointerCapture(pointerId);
    const byKey = ({ key }: KeyboardEvent) => key === "Escape" && cancel.current();
    window.addEventListener("keydown", byKey);
    cancel.current = () => {
      cancel.current = () => {};
      window.removeEventListener("keydown", byKey);
      if (handle.hasPointerCapture(pointerId)) handle.releasePointerCapture(pointerId);
      over(undefined);
    };
  }

  function over(next: string | undefined) {
    if (next === target.current) return;
    target.current = next;
    onOver(next);
  }

  function move(event: PointerEvent<HTMLSpanElement>) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    scrollAtEdge(event.clientY);
    const next = panelAt(event.clientX, event.clientY);
    over(next === id ? undefined : next);
  }

  function drop() {
    const dropped = target.current;
    cancel.current();
    if (dropped !== undefined) onDrop(dropped);
  }

  return (
    <span
      aria-hidden
      title="Drag to another panel"
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={drop}
      onPointerCancel={() => cancel.current()}
      className="grid size-8 cursor-grab touch-none place-items-center rounded-control text-muted hover:bg-surface-2 hover:text-text active:cursor-grabbing"
    >
      <GripVertical className="size-4" strokeWidth={1.75} />
    </span>
  );
}

function panelAt(x: number, y: number): string | undefined {
  const panel = document.elementFromPoint(x, y)?.closest(`section[id^="${prefix}"]`);
  return panel?.id.slice(prefix.length);
}

const edgePx = 96;

/** A dashboard may be longer than the window. */
function scrollAtEdge(y: number): void {
  if (y < edgePx) window.scrollBy(0, -16);
  else if (y > window.innerHeight - edgePx) window.scrollBy(0, 16);
}
