import { withoutDroppedFrames } from "#drop-frames/drop-frames.ts";
import { sumColumn } from "#labels/split-stacks.ts";
import { releaseScratch, scratch } from "#memory/growable.ts";
import { Interner } from "#memory/interner.ts";
import type { Profile, SampleColumns, ValueColumn } from "#model/profile.ts";
import type { StackTable } from "#model/stack-table.ts";
import { FrameInterner } from "./frame-interner.ts";
import { idOfStack, type StackIds } from "./hash-stacks.ts";

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

/**
 * As `sumStacks`, with the stack of each sample.
 *
 * @param mayOverwrite whether the frames may be written over the locations of a large profile, which nobody reads then any more
 */
export function sumSamples(whole: Profile, mayOverwrite = false): SummedSamples {
  const profile = withoutDroppedFrames(whole);
  const { length: count, values } = profile.samples;
  const expansion = new Expansion(profile, mayOverwrite);
  const stackIds = scratch.stackIds.clear((count + 1) * 2).array;
  const ids = { stackIds, frameIds: expansion.frames.ids };
  const start = scratch.stackStarts.clear(count + 2).array;
  const stackOf = scratch.stackOf.clear(count).array;
  const interner = new Interner(count, expansion.words, (stack) => start[stack], scratch.stackSlots);
  start[0] = 0;
  let filled = 0;
  for (let sample = 0; sample < count; sample++) {
    const next = interner.length;
    const end = expansion.write(sample, filled, ids, next);
    interner.words = expansion.words;
    const stack = interner.intern(stackIds[2 * next], filled, end);
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
    frame: expansion.taken(filled),
    values: values.map((column) => sumByStack(column, stackOf, length)),
    ids: stackIds.slice(0, length * 2),
  };
  releaseScratch();
  return { stacks, stackOf: stackOf.subarray(0, count) };
}

/** Smaller lists of locations are in working memory that is used again. */
const inPlaceMin = 1 << 18;

/** Expands the stack of a sample and makes its content id. */
class Expansion {
  readonly frames: FrameInterner;
  /** Frames of the stacks so far, one after the other. */
  words: Uint32Array<ArrayBuffer>;
  private readonly samples: SampleColumns;
  private location: Uint32Array;
  /** Whether `words` are in the memory of `location`. */
  private readonly isInPlace: boolean;
  /** The number of frames of the location with the most. */
  private readonly framesMax: number;

  constructor(profile: Profile, mayOverwrite: boolean) {
    this.samples = profile.samples;
    this.frames = new FrameInterner(profile);
    const { frameStart } = this.frames;
    let max = 1;
    for (let i = 1; i < frameStart.length; i++) max = Math.max(max, frameStart[i] - frameStart[i - 1]);
    this.framesMax = max;
    const { location } = profile.samples;
    this.location = location;
    const frames = mayOverwrite && location.length > inPlaceMin ? this.countFrames(0, location.length) : 0;
    this.isInPlace = frames > 0 && frames * 4 <= location.buffer.byteLength - location.byteOffset;
    if (this.isInPlace) {
      // Locations at the end: what is written never passes what is read, because each location has a frame at least.
      this.words = new Uint32Array(location.buffer as ArrayBuffer, location.byteOffset, frames);
      this.words.copyWithin(frames - location.length, 0, location.length);
      this.location = this.words.subarray(frames - location.length);
    } else {
      this.words = scratch.stacks.clear(location.length + 1024).array;
    }
  }

  /** The frames of the stacks, in separate memory. */
  taken(filled: number): Uint32Array<ArrayBuffer> {
    if (this.isInPlace) return this.words.subarray(0, filled);
    scratch.stacks.length = filled;
    return scratch.stacks.take();
  }

  private countFrames(from: number, end: number): number {
    if (this.framesMax === 1) return end - from;
    const { frameStart } = this.frames;
    let frames = 0;
    for (let i = from; i < end; i++) {
      const place = this.location[i];
      frames += frameStart[place + 1] - frameStart[place];
    }
    return frames;
  }

  /** Writes frames to `words` from `at` on, leaf first, and the id as entry `entry`; returns the end. */
  write(sample: number, at: number, ids: StackIds, entry: number): number {
    const { locationStart } = this.samples;
    const from = locationStart[sample];
    const end = locationStart[sample + 1];
    if (at + (end - from) * this.framesMax > this.words.length) this.makeRoom(from, end, at);
    const filled = this.expand(from, end, at);
    idOfStack(this.words, at, filled, ids, entry);
    return filled;
  }

  private expand(from: number, end: number, at: number): number {
    const { frameStart, frameIndex, onlyFrame } = this.frames;
    const { location, words } = this;
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
    const needed = filled + this.countFrames(from, end);
    if (needed <= this.words.length) return;
    scratch.stacks.length = filled;
    scratch.stacks.reserve(needed - filled);
    this.words = scratch.stacks.array;
  }
}

function sumByStack(column: ValueColumn, stackOf: Uint32Array, stacks: number): ValueColumn {
  if (!(column instanceof BigInt64Array)) return sumColumn(column, stackOf, stacks);
  const sums = new BigInt64Array(stacks);
  for (let i = 0; i < column.length; i++) sums[stackOf[i]] += column[i];
  return sums;
}
