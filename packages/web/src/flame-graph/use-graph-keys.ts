import { type Step, stepFrom } from "@flamekeep/flame";
import type { KeyboardEvent } from "react";
import type { Scene } from "./canvas/scene.ts";

interface GraphKeys {
  readonly scene: Scene;
  readonly onSelect: (node: number) => void;
  readonly onZoom: (node: number) => void;
}

const steps: Readonly<Record<string, Step>> = {
  ArrowUp: "parent",
  ArrowDown: "child",
  ArrowLeft: "previous",
  ArrowRight: "next",
};

/** Keys of the focused graph: arrows select, Enter zooms, Home returns to the root. */
export function useGraphKeys({ scene, onSelect, onZoom }: GraphKeys): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = scene.selected === -1 ? scene.zoom : scene.selected;
    const step = steps[event.key];
    if (step !== undefined) onSelect(scene.selected === -1 ? from : stepFrom(scene.tree, from, step));
    else if (event.key === "Enter") onZoom(from);
    else if (event.key === "Home") {
      onSelect(scene.focus);
      onZoom(scene.focus);
    } else return;
    event.preventDefault();
  };
}
