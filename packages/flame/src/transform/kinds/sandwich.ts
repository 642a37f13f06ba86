import { climb } from "#transform/engine/climb.ts";
import type { Frames } from "#transform/engine/frames.ts";
import { place, placesAround } from "#transform/engine/outermost.ts";
import { regroup } from "#transform/engine/regroup.ts";
import { totalsOf } from "#tree/derive.ts";

/** Both sides of functions: all frames below the root are the same in both, and have the same totals. */
export interface Sandwich {
  /** root, the functions, then those that called them. */
  readonly callers: Frames;
  /** root, the functions, then what they called. */
  readonly callees: Frames;
}

/** All places of the functions as one. A stack counts once, at the outermost of its places: recursion is among the callees. */
export function sandwich(frames: Frames, isMember: Uint8Array): Sandwich {
  const places = placesAround(frames, isMember);
  const host = new Int32Array(places.length);
  const isValueDropped = new Uint8Array(places.length);
  for (let node = 0; node < places.length; node++) {
    const isInside = places[node] >= place.outermost;
    host[node] = isInside ? node : 0;
    isValueDropped[node] = Number(!isInside);
  }
  return { callers: callersOf(frames, places), callees: regroup(frames, { host, isValueDropped }) };
}

function callersOf(frames: Frames, places: Uint8Array): Frames {
  const { parent, self, selfWidth, elisions } = frames;
  const nodes: number[] = [];
  for (let node = 0; node < places.length; node++) if (places[node] === place.outermost) nodes.push(node);
  return climb(frames, {
    nodes: Uint32Array.from(nodes),
    values: self.map((column, at) => totalsOf(column, parent, elisions, elisions.values[at])),
    width: totalsOf(selfWidth, parent, elisions, elisions.width),
  });
}
