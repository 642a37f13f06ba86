// Numbers the runs of bytes in a text, such as frames or lines: equal runs have one number. The text comes part by part, and only
// different runs are kept.

import { allocate, allocateZeros, reset, used } from "./memory";
import { probesMax } from "./slots";

const newline: u8 = 10;
const carriageReturn: u8 = 13;
const tab: u8 = 9;
const space: u8 = 32;
const hashSign: u8 = 35;
const opening: u8 = 40;
const closing: u8 = 41;
const semicolon: u8 = 59;

/** The kinds in text-runs.ts of the folder above. */
const ofFrames: i32 = 0;
const ofIndented: i32 = 1;
const ofComments: i32 = 2;

/** Behind a run: it is compared 16 bytes at a time. */
const slack: usize = 16;
/** Different runs that are kept, in bytes with their numbers. */
const keptMax: usize = 16 << 20;
const runsFirst: u32 = 4096;
/** A run: its address, its length and hash, and the run that came after it the last time, counted from 1. */
const runBytes: usize = 16;
const none: u32 = 0xffffffff;

/** Room for a part, which the caller fills. */
let part: usize = 0;
/** By line: where it begins and ends, how many runs it has, and their numbers. */
export let lines: usize = 0;
export let linesEnd: usize = 0;
/** Where each new run is that the lines have. */
export let added: usize = 0;
let addedEnd: usize = 0;

let factor: u64 = 0;
let runs: usize = 0;
let runCount: u32 = 0;
let runsMax: u32 = 0;
let slots: usize = 0;
let mask: u32 = 0;
let before: u32 = none;

/** Begins a text, whose parts have at most `bytes`. @param key is secret, so that nobody can choose runs that have one hash */
export function startText(bytes: usize, key: u64): usize {
  reset();
  factor = key | 1;
  part = allocate(bytes + slack);
  // A byte is at most one run, or the end of a line.
  lines = allocate((bytes + 2) * 12);
  added = allocate((bytes + 2) * 8);
  runCount = 0;
  before = none;
  reserveRuns(runsFirst);
  return part;
}

/** Numbers the runs of a part of `bytes`, which is at `base` in the text and ends with a line. */
export function readLines(bytes: usize, base: u32, kind: i32, runsOfLineMax: u32): void {
  const end = part + bytes;
  const toText = base - <u32>part;
  linesEnd = lines;
  addedEnd = added;
  for (let at = part; at < end; ) {
    const next = find(newline, at, end);
    const last = next < end && next > at && load<u8>(next - 1) === carriageReturn ? next - 1 : next;
    store<u32>(linesEnd, <u32>at + toText);
    store<u32>(linesEnd, <u32>last + toText, 4);
    const first = linesEnd + 12;
    linesEnd = first;
    if (!addRuns(at, last, kind, runsOfLineMax, toText)) linesEnd = first;
    store<u32>(first - 4, <u32>((linesEnd - first) >>> 2));
    at = next + 1;
  }
}

/** False for a line without numbers, which the caller reads. */
function addRuns(from: usize, to: usize, kind: i32, max: u32, toText: u32): bool {
  if (from === to) return false;
  const byte = load<u8>(from);
  if (kind === ofFrames) return byte !== hashSign && addFrames(from, to, max, toText);
  if (kind === ofComments) return byte === hashSign && addRun(from, to, toText);
  if (byte === tab || (kind === ofIndented && byte === space)) return addRun(from, to, toText);
  if (kind === ofIndented || load<u8>(to - 1) !== closing) return false;
  let open = to - 1;
  while (open > from && load<u8>(open) !== opening) open--;
  return open > from && addRun(from, open, toText);
}

/** `main;handle 12` */
function addFrames(from: usize, to: usize, max: u32, toText: u32): bool {
  let end = trimmed(from, to);
  while (end > from && load<u8>(end - 1) !== space && load<u8>(end - 1) !== tab) {
    // It may be a space, and is no digit.
    if (load<u8>(end - 1) >= 0x80) return false;
    end--;
  }
  end = trimmed(from, end);
  if (end === from || load<u8>(end - 1) >= 0x80) return false;
  for (let at = from; at <= end && max > 0; max--) {
    const next = find(semicolon, at, end);
    if (!addRun(at, next, toText)) return false;
    at = next + 1;
  }
  return true;
}

function trimmed(from: usize, to: usize): usize {
  let end = to;
  while (end > from && isSpace(load<u8>(end - 1))) end--;
  return end;
}

function isSpace(byte: u8): bool {
  return byte === space || (byte >= tab && byte <= carriageReturn);
}

/** Where a byte comes first, or else `to`. */
function find(byte: u8, from: usize, to: usize): usize {
  const bytes = i8x16.splat(byte);
  for (let at = from; at < to; at += 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), bytes));
    if (found !== 0) return min(to, at + <usize>ctz(found));
  }
  return to;
}

/** False if too many different runs are kept, or collide. */
function addRun(from: usize, to: usize, toText: u32): bool {
  const run = numberOf(from, to, toText);
  if (run === none) return false;
  store<u32>(linesEnd, run);
  linesEnd += 4;
  if (before !== none) store<u32>(runs + <usize>before * runBytes, run + 1, 12);
  before = run;
  return true;
}

function numberOf(from: usize, to: usize, toText: u32): u32 {
  const length = to - from;
  // Most runs come after the same run as the last time.
  const likely = before === none ? 0 : load<u32>(runs + <usize>before * runBytes, 12);
  if (likely !== 0 && isRun(likely - 1, from, length)) return likely - 1;
  const hash = hashOf(from, to);
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const slot = slots + ((<usize>((hash + probe) & mask)) << 2);
    const found = load<u32>(slot);
    if (found === 0) return newRun(from, length, hash, toText);
    const isLike = load<u32>(runs + <usize>(found - 1) * runBytes, 8) === hash;
    if (isLike && isRun(found - 1, from, length)) return found - 1;
  }
  return none;
}

function isRun(run: u32, from: usize, length: usize): bool {
  const at = runs + <usize>run * runBytes;
  if (load<u32>(at, 4) !== <u32>length) return false;
  const kept = <usize>load<u32>(at);
  for (let i: usize = 0; i < length; i += 16) {
    const different = i8x16.bitmask(i8x16.eq(v128.load(kept + i), v128.load(from + i))) ^ 0xffff;
    if (different !== 0) return i + <usize>ctz(different) >= length;
  }
  return true;
}

function hashOf(from: usize, to: usize): u32 {
  let hash: u64 = <u64>(to - from);
  let at = from;
  for (; at + 8 <= to; at += 8) hash = mix(hash ^ load<u64>(at));
  const rest = <u64>(to - at);
  if (rest > 0) hash = mix(hash ^ (load<u64>(at) & (((<u64>1) << (rest << 3)) - 1)));
  return <u32>(mix(hash) >>> 32);
}

function mix(hash: u64): u64 {
  const product = hash * factor;
  return product ^ (product >>> 32);
}

function newRun(from: usize, length: usize, hash: u32, toText: u32): u32 {
  if (used() + length > keptMax) return none;
  if (runCount === runsMax) reserveRuns(2 * runsMax);
  const kept = allocate(length + slack);
  memory.copy(kept, from, length);
  const run = runCount++;
  const at = runs + <usize>run * runBytes;
  store<u32>(at, <u32>kept);
  store<u32>(at, <u32>length, 4);
  store<u32>(at, hash, 8);
  store<u32>(at, 0, 12);
  place(run, hash);
  store<u32>(addedEnd, <u32>from + toText);
  store<u32>(addedEnd, <u32>(from + length) + toText, 4);
  addedEnd += 8;
  return run;
}

function reserveRuns(count: u32): void {
  const former = runs;
  runs = allocate(<usize>count * runBytes);
  memory.copy(runs, former, <usize>runCount * runBytes);
  runsMax = count;
  mask = 2 * count - 1;
  slots = allocateZeros((<usize>count) << 3);
  for (let run: u32 = 0; run < runCount; run++) place(run, load<u32>(runs + <usize>run * runBytes, 8));
}

/** A run that finds no slot is not found again. */
function place(run: u32, hash: u32): void {
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const slot = slots + ((<usize>((hash + probe) & mask)) << 2);
    if (load<u32>(slot) !== 0) continue;
    store<u32>(slot, run + 1);
    return;
  }
}
