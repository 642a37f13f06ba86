// Reads profiles in the form in which profilers write them, as WebAssembly, in half the time of the general reader in
// src, which takes over wherever this one gives up. See docs/decisions/0010-common-profiles-in-webassembly.md.

import { frameCount, frameFunction, frameIds, frameLine, startFrames } from "./frames";
import {
  labelCount,
  labels,
  nodeCount,
  nodeLabel,
  nodeParent,
  readLabels,
  setCount,
  setNode,
} from "./labels";
import { takeLimits } from "./limits";
import { checkMappings } from "./mappings";
import { allocate, reset } from "./memory";
import { header, headerBytes, readOutline, sampleCount, stringCount, strings } from "./outline";
import { rowCount, rowSet, rowStack, rowValues } from "./rows";
import { labelTotal, readSamples, values } from "./samples";
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

export { added, lines, linesEnd, readLines, startText } from "./text-runs";

/** Room for a profile of `bytes`; returns where it goes. The limits go before it. */
export function prepare(bytes: usize): usize {
  reset();
  const limits = allocate(limitsBytes);
  // Numbers are read up to nine bytes behind the end.
  allocate(bytes + 16);
  return limits + limitsBytes;
}

/**
 * Whether this reader could read the profile, with the labels of its samples if asked to: then `result` describes it. Otherwise the
 * general reader takes over.
 */
export function read(start: usize, bytes: usize, withLabels: bool): bool {
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
  return readSamples(withLabels) && (!withLabels || labelTotal === 0 || readLabels(labelTotal));
}

/** 28 words: counts, and where the columns are. Those of labels are only valid if labels were read. */
export function result(): usize {
  const at = allocate(28 << 2);
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
  store<i32>(at, labelTotal, 64);
  store<i32>(at, rowCount, 68);
  store<usize>(at, rowStack, 72);
  store<usize>(at, rowSet, 76);
  store<usize>(at, rowValues, 80);
  store<i32>(at, setCount, 84);
  store<usize>(at, setNode, 88);
  store<i32>(at, nodeCount, 92);
  store<usize>(at, nodeParent, 96);
  store<usize>(at, nodeLabel, 100);
  store<i32>(at, labelCount, 104);
  store<usize>(at, labels, 108);
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
