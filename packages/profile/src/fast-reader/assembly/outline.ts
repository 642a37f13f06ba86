import { functionsMax, locationsMax, mappingsMax, samplesMax, stringsMax } from "./limits";
import { allocate } from "./memory";
import { skipVarint, varint } from "./varint";

// Positions of the messages of a profile: pairs of start and end.
export let samples: usize = 0;
export let sampleCount: i32 = 0;
/** Sum over all samples. */
export let sampleBytes: usize = 0;
export let locations: usize = 0;
export let locationCount: i32 = 0;
/** Sum over all locations. */
export let locationBytes: usize = 0;
export let functions: usize = 0;
export let functionCount: i32 = 0;
export let mappings: usize = 0;
export let mappingCount: i32 = 0;
export let strings: usize = 0;
export let stringCount: i32 = 0;
export let sampleTypes: i32 = 0;
/** All other fields, one after the other. */
export let header: usize = 0;
export let headerBytes: usize = 0;

const sampleTypeTag = 0x0a;
const sampleTag = 0x12;
const mappingTag = 0x1a;
const locationTag = 0x22;
const functionTag = 0x2a;
const stringTag = 0x32;

/** Positions of all fields, in their order. */
let fields: usize = 0;

/** Programs have fewer. The ids are compared pairwise, so more would take long. */
const fastMappingsMax = 64;
/** Profilers write fewer bytes outside the tables. */
const headerMax: usize = 1 << 16;

/** Records where each message lies; false if the general reader must read the profile. */
export function readOutline(start: usize, end: usize): bool {
  if (!count(start, end)) return false;
  if (sampleCount > samplesMax || locationCount > locationsMax) return false;
  if (functionCount > functionsMax || stringCount > stringsMax) return false;
  if (mappingCount > min(mappingsMax, fastMappingsMax) || headerBytes > headerMax) return false;
  samples = allocate((<usize>sampleCount) << 3);
  locations = allocate((<usize>locationCount) << 3);
  functions = allocate((<usize>functionCount) << 3);
  mappings = allocate((<usize>mappingCount) << 3);
  strings = allocate((<usize>stringCount) << 3);
  header = allocate(headerBytes);
  sort(start, end);
  return true;
}

function count(start: usize, end: usize): bool {
  sampleCount = 0;
  sampleBytes = 0;
  locationCount = 0;
  locationBytes = 0;
  functionCount = 0;
  mappingCount = 0;
  stringCount = 0;
  sampleTypes = 0;
  headerBytes = 0;
  // A field has two bytes at least, except for one that is cut off. Unused memory of this size is never touched.
  fields = allocate((((end - start) >>> 1) + 1) << 3);
  let field = fields;
  let pos = start;
  while (pos < end) {
    const tag = load<u8>(pos);
    const next = recordField(field, pos, end);
    if (next === 0 || next > end) return false;
    field += 8;
    if (tag === sampleTag) {
      sampleCount++;
      sampleBytes += next - pos;
    } else if (tag === locationTag) {
      locationCount++;
      locationBytes += next - pos;
    } else if (tag === functionTag) functionCount++;
    else if (tag === stringTag) stringCount++;
    else if (tag === mappingTag) mappingCount++;
    else {
      if (tag === sampleTypeTag) sampleTypes++;
      headerBytes += next - pos;
    }
    pos = next;
  }
  return true;
}

/** Records where the content of the field at `pos` lies; returns its end, or 0 if it is not a number or message that ends before `last`. */
function recordField(at: usize, pos: usize, last: usize): usize {
  const tag = load<u8>(pos);
  if (tag >= 0x80) return 0;
  let from = pos + 1;
  let end: usize = 0;
  if ((tag & 7) === 0) end = skipVarint(from);
  else if ((tag & 7) === 2) {
    const length = varint(from);
    if (length === 0 || length >>> 8 > <u64>(last - pos)) return 0;
    from += <usize>(length & 0xff);
    end = from + <usize>(length >>> 8);
  }
  store<u32>(at, <u32>from);
  store<u32>(at, <u32>end, 4);
  return end;
}

/** Sorts the fields by number. */
function sort(start: usize, end: usize): void {
  let sample = samples;
  let location = locations;
  let fn = functions;
  let mapping = mappings;
  let text = strings;
  let rest = header;
  let field = fields;
  let pos = start;
  while (pos < end) {
    const tag = load<u8>(pos);
    const span = load<u64>(field);
    const next = <usize>(span >>> 32);
    field += 8;
    if (tag === sampleTag) {
      store<u64>(sample, span);
      sample += 8;
    } else if (tag === locationTag) {
      store<u64>(location, span);
      location += 8;
    } else if (tag === functionTag) {
      store<u64>(fn, span);
      fn += 8;
    } else if (tag === stringTag) {
      store<u64>(text, span);
      text += 8;
    } else if (tag === mappingTag) {
      store<u64>(mapping, span);
      mapping += 8;
    } else {
      memory.copy(rest, pos, next - pos);
      rest += next - pos;
    }
    pos = next;
  }
}
