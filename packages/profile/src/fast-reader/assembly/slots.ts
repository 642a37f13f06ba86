import { allocateZeros } from "./memory";

/** After this many occupied slots the ids are assumed to be chosen to collide. */
export const probesMax: u32 = 48;

/** The mask of an open hash table for up to `most` entries. */
export function maskFor(most: i32): u32 {
  let size: u32 = 16;
  while (size < <u32>most * 2) size <<= 1;
  return size - 1;
}

/** Its slots, two words each: entry + 1 (0 where the slot is free), and a value of the user. */
export function slotsFor(mask: u32): usize {
  return allocateZeros((<usize>mask + 1) << 3);
}

/** A hash of a word whose bits may be uneven. */
export function spread(word: u32): u32 {
  const mixed = (word ^ (word >>> 15)) * 0xc2b2ae35;
  return mixed ^ (mixed >>> 16);
}
