import { useEffect, useRef } from "react";

/** Actions by `KeyboardEvent.key` in lower case. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** Listens on the whole page, except during text input, with a modifier, or while a dialog or menu is open. */
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
    // Handled before a closed select, which would search its options for the letter.
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
  // An open dialog contains the focus. Toasts have the same role, but do not take the focus.
  return target.closest("[role=dialog], [role=menu], [role=listbox]") !== null;
}
