import { allocate, allocateZeros } from "./memory";
import { locationCount } from "./outline";
import { maskFor, PROBES_MAX, slotsFor } from "./slots";
import { frameId, functionName, lineCount, lineStart, lines } from "./tables";

/** By place (index of a location + 1): frame + 1 of one with a single frame, -1 of one with several, 0 before `resolve`. */
export let frameOf: usize = 0;
/** By line: its frame, after `resolve` of the location. */
export let frameIndex: usize = 0;

// By frame, in the order in which stacks name them: content id, function, line.
export let frameIds: usize = 0;
export let frameFunction: usize = 0;
export let frameLine: usize = 0;
export let frameCount: i32 = 0;

let slots: usize = 0;
let mask: u32 = 0;

export function startFrames(): void {
  frameOf = allocateZeros((<usize>locationCount + 1) << 2);
  frameIndex = allocate((<usize>lineCount) << 2);
  frameIds = allocate((<usize>lineCount) << 3);
  frameFunction = allocate((<usize>lineCount) << 2);
  frameLine = allocate((<usize>lineCount) << 2);
  frameCount = 0;
  mask = maskFor(lineCount);
  slots = slotsFor(mask);
}

/** Gives a location its frames and returns its entry of `frameOf`; 0 where one of them has no name. */
export function resolve(place: u32): i32 {
  const at = lineStart + ((<usize>(place - 1)) << 2);
  const from = load<i32>(at);
  const to = load<i32>(at, 4);
  if (from === to) return 0;
  for (let i = from; i < to; i++) {
    const line = lines + ((<usize>i) << 3);
    const frame = intern(load<u32>(line), load<i32>(line, 4));
    if (frame < 0) return 0;
    store<i32>(frameIndex + ((<usize>i) << 2), frame);
  }
  const entry = to - from === 1 ? load<i32>(frameIndex + ((<usize>from) << 2)) + 1 : -1;
  store<i32>(frameOf + ((<usize>place) << 2), entry);
  return entry;
}

/** The frame of a function at a line; -1 for a function without a name, and where the table is attacked. */
function intern(fn: u32, line: i32): i32 {
  if (load<u32>(functionName + ((<usize>fn) << 2)) === 0) return -1;
  const id = frameId(fn, line);
  for (let probe: u32 = 0; probe < PROBES_MAX; probe++) {
    const slot = slots + ((<usize>((<u32>id + probe) & mask)) << 3);
    const found = load<i32>(slot) - 1;
    if (found < 0) {
      store<i32>(slot, frameCount + 1);
      store<u64>(frameIds + ((<usize>frameCount) << 3), id);
      store<u32>(frameFunction + ((<usize>frameCount) << 2), fn);
      store<i32>(frameLine + ((<usize>frameCount) << 2), line);
      return frameCount++;
    }
    if (load<u64>(frameIds + ((<usize>found) << 3)) === id) return found;
  }
  return -1;
}
