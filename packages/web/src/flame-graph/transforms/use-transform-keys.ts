import type { Transform } from "@flamekeep/flame/transform";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { loadTransforms } from "./lazy-parts.tsx";

/** Keys that change the chain of transforms. @param functionName of the selected frame; undefined if none is */
export function useTransformKeys(
  text: string,
  onChange: (text: string) => void,
  functionName: () => string | undefined,
): void {
  const toggle = (transform: Transform) =>
    void loadTransforms().then(({ toggled }) => onChange(toggled(text, transform)), console.warn);
  useShortcuts({
    invert: () => toggle({ name: "invert" }),
    sandwich: () => {
      const name = functionName();
      if (name !== undefined) toggle({ name: "sandwich", target: { by: "function", text: name } });
    },
    undoTransform: () => {
      if (text !== "") void loadTransforms().then(({ undone }) => onChange(undone(text)), console.warn);
    },
  });
}
