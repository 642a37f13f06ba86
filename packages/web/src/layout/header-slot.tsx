import { type ReactNode, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { useIsWide } from "#ui/hooks/use-media.ts";

let slot: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** Ref of the place in the header for content of the page. */
export function headerSlot(element: HTMLElement | null): void {
  slot = element;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface InHeaderProps {
  /** Above the page. */
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * Where the page is: in the header, which has no title on pages about one thing, such as a profile. On narrow screens, whose header has no
 * room, above the page.
 */
export function InHeader({ className, children }: InHeaderProps) {
  const element = useSyncExternalStore(subscribe, () => slot);
  const isWide = useIsWide();
  if (!isWide) return <div className={className}>{children}</div>;
  return element && createPortal(children, element);
}
