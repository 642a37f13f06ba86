import { finishId, idOfAscii, mixHigh, mixLow, seedHigh, seedLow } from "./content-id";
import { depthMax, linesMax, nameBytesMax } from "./limits";
import { allocate, allocateZeros } from "./memory";
import {
  functionCount,
  functions,
  locationBytes,
  locationCount,
  locations,
  stringCount,
  strings,
} from "./outline";
import { skipVarint, varint } from "./varint";

// By function: indexes of strings (0 for a function without a name), the line it starts on, and the lanes of the ids of its
// frames before the line is mixed in.
export let functionName: usize = 0;
export let functionFile: usize = 0;
export let functionLine: usize = 0;
let functionLanes: usize = 0;

/** By location: the start of its lines; one more entry for the end of the last. */
export let lineStart: usize = 0;
/** By line: index of functions, line number. */
export let lines: usize = 0;
export let lineCount: i32 = 0;

/** By id: index + 1, or 0 for an unused id. */
let functionOf: usize = 0;
let functionIds: u32 = 0;
export let placeOf: usize = 0;
export let placeIds: u32 = 0;

/** By string: its content id, 0 until it is computed. */
let stringIds: usize = 0;

/** The largest id for which a table indexed by id is worth its memory. */
function idsAtMost(count: i32): u32 {
  return <u32>count * 4 + 1024;
}

export function checkStrings(): bool {
  if (stringCount === 0 || load<u32>(strings) !== load<u32>(strings, 4)) return false;
  for (let i = 0; i < stringCount; i++) {
    const span = strings + ((<usize>i) << 3);
    if (<i32>(load<u32>(span, 4) - load<u32>(span)) > nameBytesMax) return false;
  }
  stringIds = allocateZeros((<usize>stringCount) << 3);
  return true;
}

function stringId(string: u32): u64 {
  const at = stringIds + ((<usize>string) << 3);
  const computed = load<u64>(at);
  if (computed !== 0) return computed;
  const span = strings + ((<usize>string) << 3);
  const id = idOfAscii(load<u32>(span), load<u32>(span, 4));
  store<u64>(at, id);
  return id;
}

export function readFunctions(): bool {
  const words = (<usize>functionCount) << 2;
  functionName = allocate(words);
  functionFile = allocate(words);
  functionLine = allocate(words);
  functionLanes = allocate(words << 1);
  functionIds = idsAtMost(functionCount);
  functionOf = allocateZeros((<usize>functionIds + 1) << 2);
  for (let i = 0; i < functionCount; i++) if (!readFunction(i)) return false;
  return true;
}

function readFunction(i: i32): bool {
  const span = functions + ((<usize>i) << 3);
  const end = <usize>load<u32>(span, 4);
  let id: u64 = 0;
  let name: u64 = 0;
  let systemName: u64 = 0;
  let file: u64 = 0;
  let line: u64 = 0;
  let pos = <usize>load<u32>(span);
  while (pos < end) {
    const tag = load<u8>(pos);
    const number = varint(pos + 1);
    const value = number >>> 8;
    if (number === 0) return false;
    pos += 1 + <usize>(number & 0xff);
    if (tag === 0x08) id = value;
    else if (tag === 0x10) name = value;
    else if (tag === 0x18) systemName = value;
    else if (tag === 0x20) file = value;
    else if (tag === 0x28) line = value;
    else return false;
  }
  const stringsEnd = <u64>stringCount;
  if (
    pos !== end ||
    name >= stringsEnd ||
    systemName >= stringsEnd ||
    file >= stringsEnd ||
    line > <u64>i32.MAX_VALUE
  )
    return false;
  if (!recordId(functionOf, functionIds, id, i)) return false;
  return recordFunction(i, <u32>(name !== 0 ? name : systemName), <u32>file, <i32>line);
}

function recordFunction(i: i32, name: u32, file: u32, line: i32): bool {
  const nameId = stringId(name);
  const fileId = stringId(file);
  if (nameId === 0 || fileId === 0) return false;
  const at = (<usize>i) << 2;
  const span = strings + ((<usize>name) << 3);
  store<u32>(functionName + at, load<u32>(span) === load<u32>(span, 4) ? 0 : name);
  store<u32>(functionFile + at, file);
  store<i32>(functionLine + at, line);
  const lanes = functionLanes + (at << 1);
  store<i32>(lanes, mixLow(mixLow(seedLow, <i32>nameId), <i32>fileId));
  store<i32>(lanes, mixHigh(mixHigh(seedHigh, <i32>(nameId >>> 32)), <i32>(fileId >>> 32)), 4);
  return true;
}

/** False for the reserved id 0, an id that is too large for the table, and a repeated id. */
function recordId(table: usize, most: u32, id: u64, i: i32): bool {
  if (id === 0 || id > <u64>most) return false;
  const at = table + ((<usize>id) << 2);
  if (load<u32>(at) !== 0) return false;
  store<u32>(at, i + 1);
  return true;
}

export function frameId(fn: u32, line: i32): u64 {
  const lanes = functionLanes + ((<usize>fn) << 3);
  return finishId(mixLow(load<i32>(lanes), line), mixHigh(load<i32>(lanes, 4), line), 3);
}

export function readLocations(): bool {
  lineStart = allocate((<usize>locationCount + 1) << 2);
  // A line is a message with a function's id in it: four bytes at least.
  lines = allocate(((locationBytes >>> 2) + 1) << 3);
  lineCount = 0;
  placeIds = idsAtMost(locationCount);
  placeOf = allocateZeros((<usize>placeIds + 1) << 2);
  for (let i = 0; i < locationCount; i++) {
    store<i32>(lineStart + ((<usize>i) << 2), lineCount);
    if (!readLocation(i)) return false;
  }
  store<i32>(lineStart + ((<usize>locationCount) << 2), lineCount);
  return lineCount <= linesMax;
}

function readLocation(i: i32): bool {
  const span = locations + ((<usize>i) << 3);
  const end = <usize>load<u32>(span, 4);
  const linesBefore = lineCount;
  let id: u64 = 0;
  let pos = <usize>load<u32>(span);
  while (pos < end) {
    const tag = load<u8>(pos);
    if (tag === 0x10 || tag === 0x18 || tag === 0x28) {
      // Mapping, address, is_folded: frames with a function do not show them.
      pos = skipVarint(pos + 1);
      if (pos === 0) return false;
      continue;
    }
    const number = varint(pos + 1);
    const value = number >>> 8;
    if (number === 0) return false;
    pos += 1 + <usize>(number & 0xff);
    if (tag === 0x08) id = value;
    else if (tag === 0x22 && value <= <u64>(end - pos) && readLine(pos, pos + <usize>value))
      pos += <usize>value;
    else return false;
  }
  return pos === end && lineCount - linesBefore <= depthMax && recordId(placeOf, placeIds, id, i);
}

function readLine(from: usize, end: usize): bool {
  let fn: u32 = 0;
  let line: u64 = 0;
  let pos = from;
  while (pos < end) {
    const tag = load<u8>(pos);
    const number = varint(pos + 1);
    const value = number >>> 8;
    if (number === 0) return false;
    pos += 1 + <usize>(number & 0xff);
    if (tag === 0x08) fn = value <= <u64>functionIds ? load<u32>(functionOf + ((<usize>value) << 2)) : 0;
    else if (tag === 0x10) line = value;
    else if (tag !== 0x18) return false;
  }
  if (fn === 0 || pos !== end || line > <u64>i32.MAX_VALUE) return false;
  const at = lines + ((<usize>lineCount) << 3);
  store<u32>(at, fn - 1);
  store<i32>(at, <i32>line, 4);
  lineCount++;
  return true;
}
