import { useEffect, useRef } from "react";

/** Keys to what they do, keys as `KeyboardEvent.key` in lower case. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** Listens on the whole page, but not while somebody types, holds a modifier, or has a dialog or menu open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target))
        return;
      const action = latest.current[event.key.toLowerCase()];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    // A closed select would take a letter for the start of one of its options.
    const beforeSelects = (event: KeyboardEvent) => {
      if (!(event.target instanceof Element) || !event.target.matches("[role=combobox]:not(input)")) return;
      onKeyDown(event);
      if (event.defaultPrevented) event.stopPropagation();
    };
    document.addEventListener("keydown", beforeSelects, { capture: true });
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", beforeSelects, { capture: true });
      document.removeEventListener("keydown", onKeyDown);
    };
  }, []);
}

function isBusy(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("input, textarea, select")) return true;
  // What is open holds the focus, except for toasts, which are dialogs too.
  return target.closest("[role=dialog], [role=menu], [role=listbox]") !== null;
}
