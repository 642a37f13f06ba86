import type { Frames } from "#transform/engine/frames.ts";
import { place, placesAround } from "#transform/engine/outermost.ts";
import { regroup } from "#transform/engine/regroup.ts";

/** Only stacks with one of the functions, whole. As `-focus` of pprof. */
export function focus(frames: Frames, isMember: Uint8Array): Frames {
  const places = placesAround(frames, isMember);
  const host = new Int32Array(places.length);
  const isValueDropped = new Uint8Array(places.length);
  for (let node = 0; node < places.length; node++) {
    host[node] = places[node] === place.elsewhere && node > 0 ? -1 : node;
    isValueDropped[node] = Number(places[node] < place.outermost);
  }
  return regroup(frames, { host, isValueDropped });
}
