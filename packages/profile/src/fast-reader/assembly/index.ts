// Reads profiles in the form in which profilers write them, as WebAssembly, in half the time of the general reader in
// src, which takes over wherever this one gives up. See docs/decisions/0010-common-profiles-in-webassembly.md.

import { frameCount, frameFunction, frameIds, frameLine, startFrames } from "./frames";
import { takeLimits } from "./limits";
import { checkMappings } from "./mappings";
import { allocate, reset } from "./memory";
import { header, headerBytes, readOutline, sampleCount, stringCount, strings } from "./outline";
import { labels, readSamples, stackOf, values } from "./samples";
import { stackCount, stackIds, stackStart, words } from "./stacks";
import {
  checkStrings,
  functionFile,
  functionLine,
  functionName,
  readFunctions,
  readLocations,
} from "./tables";

const limitsBytes: usize = 11 << 2;

/** Room for a profile of `bytes`; returns where it goes. The limits go before it. */
export function prepare(bytes: usize): usize {
  reset();
  const limits = allocate(limitsBytes);
  // Numbers are read up to nine bytes behind the end.
  allocate(bytes + 16);
  return limits + limitsBytes;
}

/** Whether this reader could read the profile: then `result` describes it. Otherwise the general reader takes over. */
export function read(start: usize, bytes: usize): bool {
  takeLimits(start - limitsBytes);
  memory.fill(start + bytes, 0, 16);
  if (
    !readOutline(start, start + bytes) ||
    !checkStrings() ||
    !checkMappings() ||
    !readFunctions() ||
    !readLocations()
  )
    return false;
  startFrames();
  return readSamples();
}

/** Eighteen words: counts, and where the columns are. */
export function result(): usize {
  const at = allocate(18 << 2);
  store<i32>(at, sampleCount);
  store<i32>(at, stackCount, 4);
  store<i32>(at, frameCount, 8);
  store<i32>(at, stringCount, 12);
  store<usize>(at, header, 16);
  store<usize>(at, headerBytes, 20);
  store<usize>(at, strings, 24);
  store<usize>(at, stackIds, 28);
  store<usize>(at, stackStart, 32);
  store<usize>(at, words, 36);
  store<usize>(at, values, 40);
  store<usize>(at, frameIds, 44);
  store<usize>(at, describeFrames(functionName), 48);
  store<usize>(at, describeFrames(functionFile), 52);
  store<usize>(at, frameLine, 56);
  store<usize>(at, describeFrames(functionLine), 60);
  store<usize>(at, stackOf, 64);
  store<i32>(at, labels, 68);
  return at;
}

/** A column of the functions, by frame. */
function describeFrames(ofFunction: usize): usize {
  const column = allocate((<usize>frameCount) << 2);
  for (let i = 0; i < frameCount; i++) {
    const fn = load<u32>(frameFunction + ((<usize>i) << 2));
    store<u32>(column + ((<usize>i) << 2), load<u32>(ofFunction + ((<usize>fn) << 2)));
  }
  return column;
}
