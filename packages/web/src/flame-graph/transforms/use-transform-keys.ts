import type { Transform } from "@flamekeep/flame/transform";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { loadTransforms } from "./lazy-parts.tsx";

/** Keys that change the chain of transforms. @param functionRef refers to the function of the selected frame */
export function useTransformKeys(
  text: string,
  onChange: (text: string) => void,
  functionRef: () => string | undefined,
): void {
  const toggle = (transform: Transform) =>
    void loadTransforms().then(({ toggled }) => onChange(toggled(text, transform)), console.warn);
  useShortcuts({
    invert: () => toggle({ name: "invert" }),
    sandwich: () => {
      const ref = functionRef();
      if (ref !== undefined) toggle({ name: "sandwich", target: { by: "function", text: ref } });
    },
    undoTransform: () => {
      if (text !== "") void loadTransforms().then(({ undone }) => onChange(undone(text)), console.warn);
    },
  });
}
