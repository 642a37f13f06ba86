import { finishId, mixHigh, mixLow, SEED_HIGH, SEED_LOW } from "./content-id";
import { frameIds, frameIndex, frameOf, resolve } from "./frames";
import { depthMax } from "./limits";
import { allocate, claim, ensure } from "./memory";
import { maskFor, PROBES_MAX, slotsFor } from "./slots";
import { lineStart, placeIds, placeOf } from "./tables";

// The distinct stacks: content id, where the frames begin (and those of the last end), and the frames, leaf first.
export let stackIds: usize = 0;
export let stackStart: usize = 0;
/** The last in memory, so that it can grow. */
export let words: usize = 0;
export let stackCount: i32 = 0;
let filled: usize = 0;

// The stack under way: where its frames end, and the lanes of its id.
let end: usize = 0;
let low: i32 = 0;
let high: i32 = 0;

let slots: usize = 0;
let mask: u32 = 0;

export function startStacks(samples: i32): void {
  mask = maskFor(samples);
  slots = slotsFor(mask);
  stackIds = allocate((<usize>samples) << 3);
  stackStart = allocate((<usize>samples + 1) << 2);
  store<u32>(stackStart, 0);
  stackCount = 0;
  words = allocate(0);
  filled = words;
}

export function endStacks(): void {
  claim(filled);
}

export function beginStack(): void {
  end = filled;
  low = SEED_LOW;
  high = SEED_HIGH;
}

/** Frames of the stack under way. */
export function depth(): i32 {
  return <i32>((end - filled) >>> 2);
}

/** Adds the location of an id; false where that is not the usual form. */
export function addLocation(id: u64): bool {
  if (id > <u64>placeIds) return false;
  const place = load<u32>(placeOf + ((<usize>id) << 2));
  return place !== 0 && addPlace(place);
}

function addPlace(place: u32): bool {
  if (load<i32>(frameOf + ((<usize>place) << 2)) === 0 && resolve(place) === 0) return false;
  const at = lineStart + ((<usize>(place - 1)) << 2);
  const last = load<i32>(at, 4);
  if (depth() > depthMax) return false;
  ensure(end + ((<usize>(last - load<i32>(at))) << 2));
  for (let i = load<i32>(at); i < last; i++) {
    const frame = load<u32>(frameIndex + ((<usize>i) << 2));
    const id = frameIds + ((<usize>frame) << 3);
    store<u32>(end, frame);
    end += 4;
    low = mixLow(low, load<i32>(id));
    high = mixHigh(high, load<i32>(id, 4));
  }
  return true;
}

/**
 * Adds the locations of a packed list of ids, for as long as they were met before, have ids under 2^14 and make no stack that
 * is too deep: most do. Returns where another stands, or `to`.
 */
export function addPlain(from: usize, to: usize): usize {
  // An id takes a byte at least.
  ensure(end + ((to - from) << 2));
  const places = placeOf;
  const frames = frameOf;
  const ids = frameIds;
  const known = placeIds;
  let at = end;
  let a = low;
  let b = high;
  let pos = from;
  while (pos < to) {
    // No branch tells one byte from two: it would be mispredicted at every third id, which costs more than the rest.
    const first = <u32>load<u8>(pos);
    const second = <u32>load<u8>(pos + 1);
    const isLonger = first >>> 7;
    const id = (first & 0x7f) | ((second & 0x7f & (0 - isLonger)) << 7);
    if ((first & second & 0x80) !== 0 || id > known) break;
    const place = load<u32>(places + ((<usize>id) << 2));
    const entry = load<i32>(frames + ((<usize>place) << 2));
    if (entry > 0) {
      const frameId = ids + ((<usize>(entry - 1)) << 3);
      store<u32>(at, entry - 1);
      at += 4;
      a = mixLow(a, load<i32>(frameId));
      b = mixHigh(b, load<i32>(frameId, 4));
    } else if (entry < 0 && <i32>((at - filled) >>> 2) <= depthMax) {
      let line = frameIndex + ((<usize>load<u32>(lineStart + ((<usize>(place - 1)) << 2))) << 2);
      const last = frameIndex + ((<usize>load<u32>(lineStart + ((<usize>place) << 2))) << 2);
      ensure(at + (last - line) + ((to - pos) << 2));
      for (; line < last; line += 4) {
        const frame = load<u32>(line);
        const frameId = ids + ((<usize>frame) << 3);
        store<u32>(at, frame);
        at += 4;
        a = mixLow(a, load<i32>(frameId));
        b = mixHigh(b, load<i32>(frameId, 4));
      }
    } else break;
    pos += 1 + isLonger;
  }
  end = at;
  low = a;
  high = b;
  return pos;
}

/** The index of the stack under way; -1 where the table is attacked. */
export function finishStack(): i32 {
  const id = finishId(low, high, depth());
  for (let probe: u32 = 0; probe < PROBES_MAX; probe++) {
    const slot = slots + ((<usize>((<u32>id + probe) & mask)) << 3);
    const found = load<i32>(slot) - 1;
    if (found < 0) {
      store<i32>(slot, stackCount + 1);
      store<u32>(slot, <u32>id, 4);
      return addStack(id);
    }
    if (load<u32>(slot, 4) === <u32>id && isStack(found)) return found;
  }
  return -1;
}

function addStack(id: u64): i32 {
  store<u64>(stackIds + ((<usize>stackCount) << 3), id);
  const start = stackStart + ((<usize>stackCount) << 2);
  store<u32>(start, <u32>((filled - words) >>> 2));
  store<u32>(start, <u32>((end - words) >>> 2), 4);
  filled = end;
  return stackCount++;
}

function isStack(stack: i32): bool {
  const at = stackStart + ((<usize>stack) << 2);
  const from = words + ((<usize>load<u32>(at)) << 2);
  const bytes = words + ((<usize>load<u32>(at, 4)) << 2) - from;
  if (bytes !== end - filled) return false;
  for (let i: usize = 0; i < bytes; i += 4) if (load<u32>(from + i) !== load<u32>(filled + i)) return false;
  return true;
}
