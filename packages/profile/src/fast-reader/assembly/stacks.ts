import { addHigh, finishId, mixLow, seedHigh, seedLow } from "./content-id";
import { frameOf, frameOfLine, resolve } from "./frames";
import { depthMax } from "./limits";
import { allocate, claim, ensure } from "./memory";
import { ids, idsEnd, readPacked } from "./packed";
import { maskFor, probesMax, slotsFor } from "./slots";
import { lineStart, placeIds, placeOf } from "./tables";
import { varint } from "./varint";

// The distinct stacks: content ids, starts of their frames (and the end of the last), and the frames, leaf first.
export let stackIds: usize = 0;
export let stackStart: usize = 0;
/** The last in memory, so that it can grow. */
export let words: usize = 0;
export let stackCount: i32 = 0;
let filled: usize = 0;

// The stack being read: where its frames end, and the lanes of its id.
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
  low = seedLow;
  high = seedHigh;
}

/** Frames of the stack being read. */
export function depth(): i32 {
  return <i32>((end - filled) >>> 2);
}

/** Adds the location with an id; false if the general reader must read the profile. */
export function addLocation(id: u64): bool {
  if (id > <u64>placeIds) return false;
  const place = load<u32>(placeOf + ((<usize>id) << 2));
  const at = lineStart + ((<usize>(place - 1)) << 2);
  return resolve(place) !== 0 && addLines(load<u32>(at), load<u32>(at, 4));
}

/** Adds the frames of resolved lines. */
function addLines(from: u32, to: u32): bool {
  if (depth() > depthMax) return false;
  const last = frameOfLine + ((<usize>to) << 4);
  let entry = frameOfLine + ((<usize>from) << 4);
  ensure(end + ((last - entry) >>> 2));
  for (; entry < last; entry += 16) {
    store<i32>(end, load<i32>(entry) - 1);
    end += 4;
    low = mixLow(low, load<i32>(entry, 4));
    high = addHigh(high, load<i32>(entry, 8));
  }
  return true;
}

/** Adds the locations of a packed list of ids; false if the general reader must read the profile. */
export function addLocations(from: usize, to: usize): bool {
  let pos = from;
  while (pos < to) {
    pos = readPacked(pos, to);
    let at = ids;
    while (at < idsEnd) {
      at = addSingles(at);
      if (at === idsEnd) break;
      // A location with several frames, or one that is not resolved yet.
      if (!addLocation(<u64>load<u16>(at))) return false;
      at += 2;
    }
    if (idsEnd > ids) continue;
    // No id was read: the next one is longer than two bytes.
    const number = varint(pos);
    if (number === 0 || !addLocation(number >>> 8)) return false;
    pos += <usize>(number & 0xff);
  }
  return pos === to;
}

/** Adds resolved locations with a single frame, up to the first other location; returns where that one is. */
function addSingles(from: usize): usize {
  const last = idsEnd;
  // Each adds four bytes where its id took two.
  ensure(end + ((last - from) << 1));
  const idMax = placeIds;
  const places = placeOf;
  const frames = frameOf;
  let next = from;
  let at = end;
  let a = low;
  let b = high;
  for (; next < last; next += 2) {
    const id = <u32>load<u16>(next);
    if (id > idMax) break;
    const entry = frames + ((<usize>load<u32>(places + ((<usize>id) << 2))) << 4);
    const frame = load<i32>(entry);
    if (frame <= 0) break;
    store<i32>(at, frame - 1);
    at += 4;
    a = mixLow(a, load<i32>(entry, 4));
    b = addHigh(b, load<i32>(entry, 8));
  }
  end = at;
  low = a;
  high = b;
  return next;
}

/** The index of the stack being read; -1 if too many ids collide, which suggests an attack. */
export function finishStack(): i32 {
  const id = finishId(low, high, depth());
  for (let probe: u32 = 0; probe < probesMax; probe++) {
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
  let i: usize = 0;
  for (; i + 8 <= bytes; i += 8) if (load<u64>(from + i) !== load<u64>(filled + i)) return false;
  return i === bytes || load<u32>(from + i) === load<u32>(filled + i);
}
