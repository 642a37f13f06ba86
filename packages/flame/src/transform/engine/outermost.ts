import type { Frames } from "./frames.ts";

/** A node in relation to the frames of some functions. */
export const place = { elsewhere: 0, above: 1, outermost: 2, below: 3 } as const;

/** Place of each node: the outermost frames of the functions, those below, those with one below, and all others. */
export function placesAround({ length, parent, fn }: Frames, isMember: Uint8Array): Uint8Array {
  const places = new Uint8Array(length);
  for (let node = 1; node < length; node++) {
    if (places[parent[node]] >= place.outermost) places[node] = place.below;
    else if (isMember[fn[node]] === 1) places[node] = place.outermost;
  }
  for (let node = length - 1; node > 0; node--) {
    if (places[node] !== place.elsewhere && places[parent[node]] === place.elsewhere)
      places[parent[node]] = place.above;
  }
  return places;
}
