import { finishId, mixHigh, mixLow, SEED_HIGH, SEED_LOW } from "./content-id.ts";
import { FrameInterner } from "./frame-interner.ts";
import { Interner } from "./interner.ts";
import type { Profile, SampleColumns, ValueColumn } from "./profile.ts";
import type { StackTable } from "./stacks.ts";

/**
 * Sums the samples of equal stacks. Stacks are equal when their frames are: labels, addresses and the way
 * inlined frames are spread over locations do not matter. Sums beyond 64 bits wrap, as in Go.
 */
export function sumStacks(profile: Profile): StackTable {
  const { length: count, values } = profile.samples;
  const frames = new FrameInterner(profile);
  const words = new Uint32Array(framesTotal(profile, frames));
  const ids = new Uint32Array((count + 1) * 2);
  const start = new Uint32Array(count + 2);
  const stackOf = new Uint32Array(count);
  const stacks = new Interner(count, words, (stack) => start[stack]!);
  const expansion = new Expansion(profile, frames, words);
  let filled = 0;
  for (let sample = 0; sample < count; sample++) {
    const known = stacks.length;
    const end = expansion.write(sample, filled, ids, known);
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
    values: values.map((column) => sumByStack(column, stackOf, length)),
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

/** Expands the stack of a sample and makes its content id on the way, as `idOfStack` does. */
class Expansion {
  private readonly samples: SampleColumns;
  private readonly frames: FrameInterner;
  private readonly words: Uint32Array;

  constructor(profile: Profile, frames: FrameInterner, words: Uint32Array) {
    this.samples = profile.samples;
    this.frames = frames;
    this.words = words;
  }

  /** Writes frames to `words` from `at` on, leaf first, and the id as entry `entry`; returns the end. */
  write(sample: number, at: number, ids: Uint32Array, entry: number): number {
    const { location, locationStart } = this.samples;
    const { frameStart, frameIndex, isResolved, ids: frameIds } = this.frames;
    const words = this.words;
    const end = locationStart[sample + 1]!;
    let filled = at;
    let low = SEED_LOW;
    let high = SEED_HIGH;
    for (let i = locationStart[sample]!; i < end; i++) {
      const place = location[i]!;
      if (isResolved[place] === 0) this.frames.resolve(place);
      const last = frameStart[place + 1]!;
      for (let j = frameStart[place]!; j < last; j++) {
        const frame = frameIndex[j]!;
        words[filled++] = frame;
        low = mixLow(low, frameIds[2 * frame]!);
        high = mixHigh(high, frameIds[2 * frame + 1]!);
      }
    }
    finishId(low, high, filled - at, ids, entry);
    return filled;
  }
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
