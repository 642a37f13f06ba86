import { useState } from "react";
import { seenText, startText, typedText } from "./address-text.ts";

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
