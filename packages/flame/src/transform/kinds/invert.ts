import { climb } from "#transform/engine/climb.ts";
import { placeElisions } from "#transform/engine/elided.ts";
import type { Frames } from "#transform/engine/frames.ts";

/** Upside down: below the root the functions by their own value, below each the functions that called it. */
export function invert(frames: Frames): Frames {
  const { length, own, ownWidth, elisions } = frames;
  const hasOwn = new Uint8Array(length);
  for (const column of own)
    for (let node = 0; node < length; node++) if (column[node] !== 0) hasOwn[node] = 1;
  const nodes: number[] = [];
  for (let node = 0; node < length; node++) if (hasOwn[node] === 1) nodes.push(node);
  // The functions left out are unknown, so nobody can say whose own values they are.
  const rest = placeElisions(elisions, new Int32Array(length));
  return climb(frames, { nodes: Uint32Array.from(nodes), values: own, width: ownWidth }, rest);
}
