import { allocate, allocateZeros } from "./memory";
import { sampleCount, sampleTypes } from "./outline";
import { maskFor, probesMax, slotsFor, spread } from "./slots";
import { stackCount } from "./stacks";

// By row, one for each stack and set that a sample has: index of the stack, number of the set, and by sample type the sums, as 64-bit
// floats; `sampleCount` rows have room.
export let rowStack: usize = 0;
export let rowSet: usize = 0;
export let rowValues: usize = 0;
export let rowCount: i32 = 0;

/** By stack: its first row + 1, 0 if it has none yet. */
let rowOfStack: usize = 0;
/** The hash table has all rows but the first of each stack. */
let slots: usize = 0;
let mask: u32 = 0;

/** Memory for as many rows as there are samples. */
export function allocateRows(): void {
  rowStack = allocate((<usize>sampleCount) << 2);
  rowSet = allocate((<usize>sampleCount) << 1);
  rowValues = allocate((<usize>sampleTypes * <usize>sampleCount) << 3);
}

/** The rows of the samples before the first with a label: the stacks so far, with their sums. */
export function startRows(sums: usize, stacks: i32): void {
  rowCount = stacks;
  for (let row = 0; row < stacks; row++) store<i32>(rowStack + ((<usize>row) << 2), row);
  memory.fill(rowSet, 0, (<usize>stacks) << 1);
  for (let type = 0; type < sampleTypes; type++) {
    const column = (<usize>(type * sampleCount)) << 3;
    memory.copy(rowValues + column, sums + column, (<usize>stacks) << 3);
  }
}

/** Prepares `addToRow`, once all stacks are known. */
export function indexRows(): void {
  rowOfStack = allocateZeros((<usize>stackCount) << 2);
  for (let row = 0; row < rowCount; row++) store<i32>(rowOfStack + ((<usize>row) << 2), row + 1);
  mask = maskFor(sampleCount);
  slots = slotsFor(mask);
}

/** Adds the values of a sample to the row of a stack and a set; false if too many collide, which suggests an attack. */
export function addToRow(stack: u32, set: i32, ofSample: usize): bool {
  const first = rowOfStack + ((<usize>stack) << 2);
  const row = load<i32>(first) - 1;
  if (row < 0) {
    // Most stacks have one row, which is not in the table.
    store<i32>(first, addRow(stack, set, ofSample) + 1);
    return true;
  }
  if (load<u16>(rowSet + ((<usize>row) << 1)) === <u16>set) {
    addValues(row, ofSample);
    return true;
  }
  const hash = spread((stack * 0x9e3779b1) ^ (<u32>set * 0x85ebca6b));
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const slot = slots + ((<usize>((hash + probe) & mask)) << 3);
    const found = load<i32>(slot) - 1;
    if (found < 0) {
      store<i32>(slot, addRow(stack, set, ofSample) + 1);
      return true;
    }
    const isStack = load<u32>(rowStack + ((<usize>found) << 2)) === stack;
    if (!isStack || load<u16>(rowSet + ((<usize>found) << 1)) !== <u16>set) continue;
    addValues(found, ofSample);
    return true;
  }
  return false;
}

function addRow(stack: u32, set: i32, ofSample: usize): i32 {
  store<u32>(rowStack + ((<usize>rowCount) << 2), stack);
  store<u16>(rowSet + ((<usize>rowCount) << 1), <u16>set);
  let value = rowValues + ((<usize>rowCount) << 3);
  for (let type = 0; type < sampleTypes; type++) {
    store<f64>(value, load<f64>(ofSample + ((<usize>type) << 3)));
    value += (<usize>sampleCount) << 3;
  }
  return rowCount++;
}

function addValues(row: i32, ofSample: usize): void {
  let sum = rowValues + ((<usize>row) << 3);
  for (let type = 0; type < sampleTypes; type++) {
    store<f64>(sum, load<f64>(sum) + load<f64>(ofSample + ((<usize>type) << 3)));
    sum += (<usize>sampleCount) << 3;
  }
}
