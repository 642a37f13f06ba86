import { depthMax, framesMax, labelsMax, labelsPerSampleMax } from "./limits";
import { allocate, allocateZeros } from "./memory";
import { sampleBytes, sampleCount, samples, sampleTypes, stringCount } from "./outline";
import { allocateRows, startRows } from "./rows";
import {
  addLocation,
  addLocations,
  beginStack,
  depth,
  endStacks,
  finishStack,
  stackCount,
  startStacks,
} from "./stacks";
import { skipVarint, varint } from "./varint";

/** Integers up to this are exact as 64-bit floats. */
const exactMax: f64 = f64.MAX_SAFE_INTEGER;

/** By sample type and stack: the sums, as 64-bit floats; `sampleCount` stacks have room in each. */
export let values: usize = 0;
/** By sample type: of the sample being read, as integers. */
let ofSample: usize = 0;
/** By sample: its stack. */
export let stackOf: usize = 0;

// Kept for `readLabels`, from the first sample with a label on: by sample, where its first label begins (0 if it has none), and its
// values, as 64-bit floats.
export let firstLabelled: i32 = 0;
export let labelStart: usize = 0;
export let sampleValues: usize = 0;
let keepsLabels: bool = false;
let labelAt: usize = 0;

let seen: i32 = 0;
/** Over all samples. */
export let labelTotal: i32 = 0;
let labelsOfSample: i32 = 0;

/** `withLabels`: whether `readLabels` follows if there are labels. */
export function readSamples(withLabels: bool): bool {
  if (sampleTypes === 0 && sampleCount > 0) return false;
  // A value takes at least a byte: do not allocate memory for values that cannot exist.
  if (<u64>sampleTypes * <u64>sampleCount > <u64>sampleBytes) return false;
  ofSample = allocate((<usize>sampleTypes) << 3);
  values = allocateZeros((<usize>sampleTypes * <usize>sampleCount) << 3);
  stackOf = allocate((<usize>sampleCount) << 2);
  labelTotal = 0;
  firstLabelled = sampleCount;
  keepsLabels = withLabels;
  if (withLabels) {
    // Memory of this size is never touched if there are no labels.
    labelStart = allocate((<usize>sampleCount) << 2);
    sampleValues = allocate((<usize>sampleTypes * <usize>sampleCount) << 3);
    allocateRows();
  }
  startStacks(sampleCount);
  let frames = 0;
  for (let i = 0; i < sampleCount; i++) {
    const span = samples + ((<usize>i) << 3);
    seen = 0;
    labelsOfSample = 0;
    labelAt = 0;
    beginStack();
    if (!readSample(load<u32>(span), load<u32>(span, 4)) || seen !== sampleTypes) return false;
    frames += depth();
    if (depth() > depthMax || frames > framesMax || labelTotal > labelsMax) return false;
    if (keepsLabels && labelTotal > 0) keepForLabels(i);
    const stack = finishStack();
    if (stack < 0) return false;
    store<i32>(stackOf + ((<usize>i) << 2), stack);
    addValues(stack);
  }
  endStacks();
  return areExact();
}

function keepForLabels(sample: i32): void {
  if (firstLabelled === sampleCount) {
    firstLabelled = sample;
    startRows(values, stackCount);
  }
  store<u32>(labelStart + ((<usize>sample) << 2), <u32>labelAt);
  const kept = sampleValues + ((<usize>(sample * sampleTypes)) << 3);
  for (let type = 0; type < sampleTypes; type++) {
    const at = (<usize>type) << 3;
    store<f64>(kept + at, <f64>load<u64>(ofSample + at));
  }
}

function addValues(stack: i32): void {
  for (let type = 0; type < sampleTypes; type++) {
    const sum = values + ((<usize>(type * sampleCount + stack)) << 3);
    store<f64>(sum, load<f64>(sum) + <f64>load<u64>(ofSample + ((<usize>type) << 3)));
  }
}

/** No value is negative, so if any sum was rounded, the total exceeds the maximum too. */
function areExact(): bool {
  for (let type = 0; type < sampleTypes; type++) {
    const column = values + ((<usize>(type * sampleCount)) << 3);
    let total: f64 = 0;
    for (let stack = 0; stack < stackCount; stack++) total += load<f64>(column + ((<usize>stack) << 3));
    if (total > exactMax) return false;
  }
  return true;
}

function readSample(from: usize, end: usize): bool {
  let pos = from;
  while (pos < end) {
    const tag = load<u8>(pos);
    const number = varint(pos + 1);
    const value = number >>> 8;
    if (number === 0) return false;
    if (tag === 0x1a && labelAt === 0) labelAt = pos;
    pos += 1 + <usize>(number & 0xff);
    if ((tag & 7) === 0) {
      if (!takeNumber(tag, value)) return false;
    } else {
      if (value > <u64>(end - pos) || !takeBlock(tag, pos, pos + <usize>value)) return false;
      pos += <usize>value;
    }
  }
  return pos === end;
}

function takeNumber(tag: u8, value: u64): bool {
  if (tag === 0x10) return addValue(value);
  return tag === 0x08 && addLocation(value);
}

function takeBlock(tag: u8, from: usize, end: usize): bool {
  if (tag === 0x0a) return addLocations(from, end);
  if (tag === 0x12) return readValues(from, end);
  return tag === 0x1a && checkLabel(from, end);
}

function readValues(from: usize, end: usize): bool {
  let pos = from;
  while (pos < end) {
    const number = varint(pos);
    if (number === 0 || !addValue(number >>> 8)) return false;
    pos += <usize>(number & 0xff);
  }
  return pos === end;
}

function addValue(value: u64): bool {
  if (seen === sampleTypes) return false;
  store<u64>(ofSample + ((<usize>seen) << 3), value);
  seen++;
  return true;
}

/** Labels are only checked here: one that refers to a missing string makes the profile invalid. */
function checkLabel(from: usize, end: usize): bool {
  labelTotal++;
  if (++labelsOfSample > labelsPerSampleMax) return false;
  let pos = from;
  while (pos < end) {
    const tag = load<u8>(pos);
    if (tag === 0x18) {
      pos = skipVarint(pos + 1);
      if (pos === 0) return false;
      continue;
    }
    const number = varint(pos + 1);
    if (number === 0 || number >>> 8 >= <u64>stringCount) return false;
    if (tag !== 0x08 && tag !== 0x10 && tag !== 0x20) return false;
    pos += 1 + <usize>(number & 0xff);
  }
  return pos === end;
}
