import { functionsMax, locationsMax, samplesMax, stringsMax } from "./limits";
import { allocate } from "./memory";
import { skipVarint, varint } from "./varint";

// Where the messages of a profile lie: pairs of start and end.
export let samples: usize = 0;
export let sampleCount: i32 = 0;
/** Of all samples together. */
export let sampleBytes: usize = 0;
export let locations: usize = 0;
export let locationCount: i32 = 0;
/** Of all locations together. */
export let locationBytes: usize = 0;
export let functions: usize = 0;
export let functionCount: i32 = 0;
export let strings: usize = 0;
export let stringCount: i32 = 0;
export let sampleTypes: i32 = 0;
/** All other fields, one after the other. */
export let header: usize = 0;
export let headerBytes: usize = 0;

const SAMPLE_TYPE = 0x0a;
const SAMPLE = 0x12;
const LOCATION = 0x22;
const FUNCTION = 0x2a;
const STRING = 0x32;

/** Of more bytes beside the tables this is no profile as profilers write them. */
const headerMax: usize = 1 << 16;

/** Notes where everything lies; false where that is not in the usual form. */
export function readOutline(start: usize, end: usize): bool {
  if (!count(start, end)) return false;
  if (sampleCount > samplesMax || locationCount > locationsMax) return false;
  if (functionCount > functionsMax || stringCount > stringsMax || headerBytes > headerMax) return false;
  samples = allocate((<usize>sampleCount) << 3);
  locations = allocate((<usize>locationCount) << 3);
  functions = allocate((<usize>functionCount) << 3);
  strings = allocate((<usize>stringCount) << 3);
  header = allocate(headerBytes);
  note(start, end);
  return true;
}

function count(start: usize, end: usize): bool {
  sampleCount = 0;
  sampleBytes = 0;
  locationCount = 0;
  locationBytes = 0;
  functionCount = 0;
  stringCount = 0;
  sampleTypes = 0;
  headerBytes = 0;
  let pos = start;
  while (pos < end) {
    const next = fieldEnd(pos);
    if (next === 0 || next > end) return false;
    const tag = load<u8>(pos);
    if (tag === SAMPLE) {
      sampleCount++;
      sampleBytes += next - pos;
    } else if (tag === LOCATION) {
      locationCount++;
      locationBytes += next - pos;
    } else if (tag === FUNCTION) functionCount++;
    else if (tag === STRING) stringCount++;
    else {
      if (tag === SAMPLE_TYPE) sampleTypes++;
      headerBytes += next - pos;
    }
    pos = next;
  }
  return true;
}

/** Where the field at `pos` ends; 0 where it is not a number or a message. */
function fieldEnd(pos: usize): usize {
  const tag = load<u8>(pos);
  if (tag >= 0x80) return 0;
  if ((tag & 7) === 0) return skipVarint(pos + 1);
  if ((tag & 7) !== 2) return 0;
  const length = varint(pos + 1);
  // Longer than memory is.
  if (length === 0 || length >>> 40 !== 0) return 0;
  return pos + 1 + <usize>(length & 0xff) + <usize>(length >>> 8);
}

function note(start: usize, end: usize): void {
  let sample = samples;
  let location = locations;
  let fn = functions;
  let text = strings;
  let rest = header;
  let pos = start;
  while (pos < end) {
    const tag = load<u8>(pos);
    const next = fieldEnd(pos);
    if (tag === SAMPLE) sample = noteSpan(sample, pos, next);
    else if (tag === LOCATION) location = noteSpan(location, pos, next);
    else if (tag === FUNCTION) fn = noteSpan(fn, pos, next);
    else if (tag === STRING) text = noteSpan(text, pos, next);
    else {
      memory.copy(rest, pos, next - pos);
      rest += next - pos;
    }
    pos = next;
  }
}

/** The content of the message whose tag stands at `pos`; returns where the next is noted. */
function noteSpan(at: usize, pos: usize, end: usize): usize {
  let from = pos + 1;
  while (load<u8>(from) >= 0x80) from++;
  store<u32>(at, <u32>(from + 1));
  store<u32>(at, <u32>end, 4);
  return at + 8;
}
