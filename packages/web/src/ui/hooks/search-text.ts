import { useEffect, useState } from "react";

/** The text of a box of which the address keeps the trimmed form. The address follows a moment later than the keys. */
export interface AddressText {
  readonly text: string;
  /** What the address had when last looked at. */
  readonly kept: string;
  /** What was written to the address and not seen there yet, oldest first. */
  readonly written: readonly string[];
}

export function startText(kept: string): AddressText {
  return { text: kept, kept, written: [] };
}

export function typedText(state: AddressText, text: string): AddressText {
  return { ...state, text, written: [...state.written, text.trim()] };
}

/** What was not written from here, a link or the browser's back button changed: the box follows. */
export function seenText(state: AddressText, kept: string): AddressText {
  if (kept === state.kept) return state;
  const at = state.written.indexOf(kept);
  return at === -1 ? startText(kept) : { ...state, kept, written: state.written.slice(at + 1) };
}

/** Text for a search box that is kept in the address, and what to call when somebody types. */
export function useAddressText(
  kept: string,
  write: (kept: string | undefined) => void,
): [text: string, type: (text: string) => void] {
  const [before, setState] = useState(() => startText(kept));
  const state = seenText(before, kept);
  if (state !== before) setState(state);

  function type(text: string) {
    setState(typedText(state, text));
    write(text.trim() || undefined);
  }

  return [state.text, type];
}

/** The value once it has rested for the delay, in milliseconds. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return rested;
}
