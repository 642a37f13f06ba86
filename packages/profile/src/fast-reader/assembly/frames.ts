import { premixHigh } from "./content-id";
import { allocate, allocateZeros } from "./memory";
import { locationCount } from "./outline";
import { maskFor, probesMax, slotsFor } from "./slots";
import { frameId, functionName, lineCount, lineStart, lines } from "./tables";

/**
 * By place (index of a location + 1), four words each: frame + 1 of one with a single frame, -1 of one with several, 0 before
 * `resolve`; then what that frame adds to the two lanes of a stack's id.
 */
export let frameOf: usize = 0;
/** By line, after `resolve` of its location, four words each: frame + 1 and what it adds to the lanes. */
export let frameOfLine: usize = 0;

// By frame, in the order in which stacks name them: content id, function, line.
export let frameIds: usize = 0;
export let frameFunction: usize = 0;
export let frameLine: usize = 0;
export let frameCount: i32 = 0;

let slots: usize = 0;
let mask: u32 = 0;

export function startFrames(): void {
  frameOf = allocateZeros((<usize>locationCount + 1) << 4);
  frameOfLine = allocate((<usize>lineCount) << 4);
  frameIds = allocate((<usize>lineCount) << 3);
  frameFunction = allocate((<usize>lineCount) << 2);
  frameLine = allocate((<usize>lineCount) << 2);
  frameCount = 0;
  mask = maskFor(lineCount);
  slots = slotsFor(mask);
}

/** Resolves the frames of a location and returns the first word of its `frameOf` entry; 0 if it has no frames, or one without a name. */
export function resolve(place: u32): i32 {
  const entry = frameOf + ((<usize>place) << 4);
  if (place === 0 || load<i32>(entry) !== 0) return load<i32>(entry);
  const at = lineStart + ((<usize>(place - 1)) << 2);
  const from = load<i32>(at);
  const to = load<i32>(at, 4);
  for (let i = from; i < to; i++) {
    const line = lines + ((<usize>i) << 3);
    const frame = intern(load<u32>(line), load<i32>(line, 4));
    if (frame < 0) return 0;
    const id = frameIds + ((<usize>frame) << 3);
    const ofLine = frameOfLine + ((<usize>i) << 4);
    store<i32>(ofLine, frame + 1);
    store<i32>(ofLine, load<i32>(id), 4);
    store<i32>(ofLine, premixHigh(load<i32>(id, 4)), 8);
  }
  if (to - from === 1) memory.copy(entry, frameOfLine + ((<usize>from) << 4), 12);
  else if (to > from) store<i32>(entry, -1);
  return load<i32>(entry);
}

/** The frame of a function at a line; -1 for a function without a name, or if too many ids collide, which suggests an attack. */
function intern(fn: u32, line: i32): i32 {
  if (load<u32>(functionName + ((<usize>fn) << 2)) === 0) return -1;
  const id = frameId(fn, line);
  for (let probe: u32 = 0; probe < probesMax; probe++) {
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
