import { useEffect, useState } from "react";

/** Text of a search box whose trimmed form is kept in the URL. The URL changes a moment after each key press. */
export interface SearchText {
  readonly text: string;
  /** The text in the URL when it was last read. */
  readonly urlText: string;
  /** Texts that were written to the URL and have not arrived there yet, oldest first. */
  readonly pending: readonly string[];
}

export function initialText(urlText: string): SearchText {
  return { text: urlText, urlText, pending: [] };
}

export function textAfterInput(state: SearchText, text: string): SearchText {
  return { ...state, text, pending: [...state.pending, text.trim()] };
}

/** Follows the URL if a link or the browser's back button changed it, and ignores the box's own writes. */
export function textAfterNavigation(state: SearchText, urlText: string): SearchText {
  if (urlText === state.urlText) return state;
  const at = state.pending.indexOf(urlText);
  return at === -1 ? initialText(urlText) : { ...state, urlText, pending: state.pending.slice(at + 1) };
}

/** Text of a search box that is kept in the URL, and a function to call on input. */
export function useSearchText(
  urlText: string,
  write: (urlText: string | undefined) => void,
): [text: string, type: (text: string) => void] {
  const [before, setState] = useState(() => initialText(urlText));
  const state = textAfterNavigation(before, urlText);
  if (state !== before) setState(state);

  function type(text: string) {
    setState(textAfterInput(state, text));
    write(text.trim() || undefined);
  }

  return [state.text, type];
}

/** The value after it has not changed for the delay. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
