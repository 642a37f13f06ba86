import { FrameInterner } from "./frame-interner.ts";
import { idOfStack } from "./hash-stacks.ts";
import { Interner } from "./interner.ts";
import type { Profile, ValueColumn } from "./profile.ts";
import type { StackTable } from "./stacks.ts";

/**
 * Sums the samples of equal stacks. Stacks are equal when their frames are: labels, addresses and the way
 * inlined frames are spread over locations do not matter. Sums beyond 64 bits wrap, as in Go.
 */
export function sumStacks(profile: Profile): StackTable {
  const { samples } = profile;
  const frames = new FrameInterner(profile);
  const words = new Uint32Array(framesTotal(profile, frames));
  const ids = new Uint32Array((samples.length + 1) * 2);
  const both = { stackIds: ids, frameIds: frames.ids };
  const start = new Uint32Array(samples.length + 2);
  const stackOf = new Uint32Array(samples.length);
  const stacks = new Interner(samples.length, words, (stack) => start[stack]!);
  let filled = 0;
  for (let sample = 0; sample < samples.length; sample++) {
    const known = stacks.length;
    const end = expand(profile, frames, sample, words, filled);
    idOfStack(words, filled, end, both, known);
    const stack = stacks.intern(ids[2 * known]!, filled, end);
    stackOf[sample] = stack;
    if (stack === known) {
      filled = end;
      start[stack + 1] = filled;
    }
  }
  const length = stacks.length;
  return {
    sampleTypes: profile.sampleTypes,
    frames: frames.toTable(),
    length,
    start: start.slice(0, length + 1),
    frame: filled === words.length ? words : words.slice(0, filled),
    values: samples.values.map((column) => sumByStack(column, stackOf, length)),
    ids: ids.slice(0, length * 2),
  };
}

function framesTotal(profile: Profile, { frameStart }: FrameInterner): number {
  const { location } = profile.samples;
  let count = 0;
  for (let i = 0; i < location.length; i++) {
    const place = location[i]!;
    count += frameStart[place + 1]! - frameStart[place]!;
  }
  return count;
}

/** Writes the frames of a sample, leaf first, from `at` on; returns where they end. */
function expand(
  profile: Profile,
  frames: FrameInterner,
  sample: number,
  words: Uint32Array,
  at: number,
): number {
  const { location, locationStart } = profile.samples;
  const { frameStart, frameIndex, isResolved } = frames;
  const end = locationStart[sample + 1]!;
  let filled = at;
  for (let i = locationStart[sample]!; i < end; i++) {
    const place = location[i]!;
    if (isResolved[place] === 0) frames.resolve(place);
    const last = frameStart[place + 1]!;
    for (let j = frameStart[place]!; j < last; j++) words[filled++] = frameIndex[j]!;
  }
  return filled;
}

function sumByStack(column: ValueColumn, stackOf: Uint32Array, stacks: number): ValueColumn {
  if (column instanceof BigInt64Array) {
    const sums = new BigInt64Array(stacks);
    for (let i = 0; i < column.length; i++) sums[stackOf[i]!]! += column[i]!;
    return sums;
  }
  const sums = new Float64Array(stacks);
  for (let i = 0; i < column.length; i++) sums[stackOf[i]!]! += column[i]!;
  return sums;
}
