import { climb } from "#transform/engine/climb.ts";
import type { Frames } from "#transform/engine/frames.ts";
import { placeElisions } from "#tree/place-elisions.ts";

/** Upside down: below the root the functions by their self value, below each the functions that called it. */
export function invert(frames: Frames): Frames {
  const { length, self, selfWidth, elisions } = frames;
  const hasSelf = new Uint8Array(length);
  for (const column of self)
    for (let node = 0; node < length; node++) if (column[node] !== 0) hasSelf[node] = 1;
  const nodes: number[] = [];
  for (let node = 0; node < length; node++) if (hasSelf[node] === 1) nodes.push(node);
  // The elided functions are unknown, so nobody can say whose self values they are.
  const rest = placeElisions(elisions, new Int32Array(length));
  return climb(frames, { nodes: Uint32Array.from(nodes), values: self, width: selfWidth }, rest);
}
