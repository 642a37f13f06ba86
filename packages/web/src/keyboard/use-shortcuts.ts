import { useEffect, useRef } from "react";
import { type ShortcutName, shortcutOf } from "./shortcuts.ts";

type Actions = Readonly<Partial<Record<ShortcutName, () => void>>>;

/**
 * Listens on the whole page while the component is mounted. Single keys are left alone during text input, and all of them
 * while a dialog, menu or list is open.
 */
export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isBusy(event)) return;
      const name = shortcutOf(event);
      const action = name && latest.current[name];
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

function isBusy({ target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // An open dialog contains the focus. Toasts have the same role, but do not take the focus.
  if (target.closest("[role=dialog], [role=menu], [role=listbox]") !== null) return true;
  if (ctrlKey || metaKey) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}
