import { truncatedName } from "@flamekeep/profile";
import type { Frames } from "#transform/engine/frames.ts";
import { regroup } from "#transform/engine/regroup.ts";

/** Without the frames of the functions: their callees move to their callers, and their self values too. As `-hide` of pprof. */
export function hide(frames: Frames, isMember: Uint8Array): Frames {
  const { length, parent, fn } = frames;
  const host = new Int32Array(length);
  for (let node = 1; node < length; node++) host[node] = isMember[fn[node]] === 1 ? host[parent[node]] : node;
  return regroup(frames, { host });
}

/** Only the frames of the functions, each below the next one above it. `[truncated]` stays. As `-show` of pprof. */
export function show(frames: Frames, isMember: Uint8Array): Frames {
  const { name } = frames.functions;
  return hide(
    frames,
    isMember.map((is, fn) => Number(is === 0 && name[fn] !== truncatedName)),
  );
}
