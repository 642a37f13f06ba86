import { withoutDroppedFrames } from "#drop-frames/drop-frames.ts";
import { Interner } from "#memory/interner.ts";
import { releaseScratch, scratch } from "#memory/scratch.ts";
import { finishId, mixHigh, mixLow, seedHigh, seedLow } from "#model/content-id.ts";
import type { Profile, SampleColumns, ValueColumn } from "#model/profile.ts";
import type { StackTable } from "#model/stack-table.ts";
import { FrameInterner } from "./frame-interner.ts";

/**
 * Sums the samples of equal stacks. Stacks are equal when their frames are: labels, addresses and the way
 * inlined frames are spread over locations do not matter. Frames that the profile asks to drop are left out: see
 * `withoutDroppedFrames`. Sums beyond 64 bits wrap, as in Go.
 */
export function sumStacks(whole: Profile): StackTable {
  return sumSamples(whole).stacks;
}

interface SummedSamples {
  readonly stacks: StackTable;
  /** The stack of each sample, in memory that the next call overwrites. */
  readonly stackOf: Uint32Array;
}

/** As `sumStacks`, with the stack of each sample. */
export function sumSamples(whole: Profile): SummedSamples {
  const profile = withoutDroppedFrames(whole);
  const { length: count, values } = profile.samples;
  const expansion = new Expansion(profile);
  const ids = scratch.stackIds.clear((count + 1) * 2).array;
  const start = scratch.stackStarts.clear(count + 2).array;
  const stackOf = scratch.stackOf.clear(count).array;
  const interner = new Interner(count, expansion.words, (stack) => start[stack], scratch.stackSlots);
  start[0] = 0;
  let filled = 0;
  for (let sample = 0; sample < count; sample++) {
    const next = interner.length;
    const end = expansion.write(sample, filled, ids, next);
    interner.words = expansion.words;
    const stack = interner.intern(ids[2 * next], filled, end);
    stackOf[sample] = stack;
    if (stack === next) {
      filled = end;
      start[stack + 1] = filled;
    }
  }
  const length = interner.length;
  const stacks = {
    sampleTypes: profile.sampleTypes,
    frames: expansion.frames.toTable(),
    length,
    start: start.slice(0, length + 1),
    frame: expansion.words.slice(0, filled),
    values: values.map((column) => sumByStack(column, stackOf, length)),
    ids: ids.slice(0, length * 2),
  };
  releaseScratch();
  return { stacks, stackOf: stackOf.subarray(0, count) };
}

/** Expands the stack of a sample and makes its content id on the way, as `idOfStack` does. */
class Expansion {
  readonly frames: FrameInterner;
  /** Frames of the stacks so far, one after the other. */
  words: Uint32Array<ArrayBuffer>;
  private readonly samples: SampleColumns;
  /** The number of frames of the location with the most. */
  private readonly framesMax: number;

  constructor(profile: Profile) {
    this.samples = profile.samples;
    this.frames = new FrameInterner(profile);
    const { frameStart } = this.frames;
    let max = 1;
    for (let i = 1; i < frameStart.length; i++) max = Math.max(max, frameStart[i] - frameStart[i - 1]);
    this.framesMax = max;
    this.words = scratch.stacks.clear(this.samples.location.length + 1024).array;
  }

  /** Writes frames to `words` from `at` on, leaf first, and the id as entry `entry`; returns the end. */
  write(sample: number, at: number, ids: Uint32Array, entry: number): number {
    const { locationStart } = this.samples;
    const frameIds = this.frames.ids;
    const from = locationStart[sample];
    const end = locationStart[sample + 1];
    if (at + (end - from) * this.framesMax > this.words.length) this.makeRoom(from, end, at);
    const filled = this.expand(from, end, at);
    const words = this.words;
    let low = seedLow;
    let high = seedHigh;
    for (let i = at; i < filled; i++) {
      const id = 2 * words[i];
      low = mixLow(low, frameIds[id]);
      high = mixHigh(high, frameIds[id + 1]);
    }
    finishId(low, high, filled - at, ids, entry);
    return filled;
  }

  private expand(from: number, end: number, at: number): number {
    const { location } = this.samples;
    const { frameStart, frameIndex, onlyFrame } = this.frames;
    const words = this.words;
    let filled = at;
    for (let i = from; i < end; i++) {
      const place = location[i];
      const only = onlyFrame[place];
      if (only !== 0) {
        words[filled++] = only - 1;
        continue;
      }
      this.frames.resolve(place);
      const last = frameStart[place + 1];
      for (let j = frameStart[place]; j < last; j++) words[filled++] = frameIndex[j];
    }
    return filled;
  }

  /** Makes room for the frames of the locations [from, end) after the first `filled`. */
  private makeRoom(from: number, end: number, filled: number): void {
    const { frameStart } = this.frames;
    let needed = filled;
    for (let i = from; i < end; i++) {
      const place = this.samples.location[i];
      needed += frameStart[place + 1] - frameStart[place];
    }
    if (needed <= this.words.length) return;
    scratch.stacks.length = filled;
    scratch.stacks.reserve(needed - filled);
    this.words = scratch.stacks.array;
  }
}

function sumByStack(column: ValueColumn, stackOf: Uint32Array, stacks: number): ValueColumn {
  if (column instanceof BigInt64Array) {
    const sums = new BigInt64Array(stacks);
    for (let i = 0; i < column.length; i++) sums[stackOf[i]] += column[i];
    return sums;
  }
  const sums = new Float64Array(stacks);
  for (let i = 0; i < column.length; i++) sums[stackOf[i]] += column[i];
  return sums;
}
