import { levelOf, type Step, stepFrom } from "@flamekeep/flame";
import type { KeyboardEvent } from "react";
import type { Direction, Scene } from "#flame-graph/canvas/scene.ts";

interface GraphKeys {
  readonly scene: Scene;
  readonly onSelect: (node: number) => void;
  readonly onZoom: (node: number) => void;
}

const sideways: Readonly<Record<string, Step>> = { ArrowLeft: "previous", ArrowRight: "next" };
const steps: Readonly<Record<Direction, Readonly<Record<string, Step>>>> = {
  down: { ...sideways, ArrowUp: "parent", ArrowDown: "child" },
  up: { ...sideways, ArrowUp: "child", ArrowDown: "parent" },
};

/** The frame that the keys begin with: the zoomed one, or the first below it that is drawn. */
function firstOf({ tree, zoom, focusLevel }: Scene): number {
  return levelOf(tree, zoom) < focusLevel ? stepFrom(tree, zoom, "child") : zoom;
}

/** Keys of the focused graph: arrows select, Enter zooms, Home returns to the root. */
export function useGraphKeys({ scene, onSelect, onZoom }: GraphKeys): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = scene.selected === -1 ? firstOf(scene) : scene.selected;
    const step = steps[scene.direction][event.key];
    if (step !== undefined) {
      const to = scene.selected === -1 ? from : stepFrom(scene.tree, from, step, scene.zoom);
      // The frames above the shown part are not drawn.
      onSelect(levelOf(scene.tree, to) < scene.focusLevel ? from : to);
    } else if (event.key === "Enter") onZoom(from);
    else if (event.key === "Home") {
      onSelect(scene.focus);
      onZoom(scene.focus);
    } else return;
    event.preventDefault();
  };
}
