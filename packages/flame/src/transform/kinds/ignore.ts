import { dropEmpty } from "#transform/engine/empty.ts";
import type { Frames } from "#transform/engine/frames.ts";
import { place, placesAround } from "#transform/engine/outermost.ts";
import { regroup } from "#transform/engine/regroup.ts";

/** Only stacks without any of the functions. Frames that only led to them are dropped too. As `-ignore` of pprof. */
export function ignore(frames: Frames, isMember: Uint8Array): Frames {
  const places = placesAround(frames, isMember);
  const host = new Int32Array(places.length);
  for (let node = 0; node < host.length; node++) host[node] = places[node] >= place.outermost ? -1 : node;
  return regroup(frames, { host: dropEmpty(frames, host) });
}
