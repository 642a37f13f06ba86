import type { GrowableUint32 } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import type { LocationColumns } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";

/** Cuts stacks that are too deep, and refuses profiles with too many frames. */
export class DepthLimit {
  /** Stacks that were cut. */
  trimmed = 0;
  /** The location of the frame that replaces the cut frames: see `withTruncatedFrame`. */
  private readonly truncatedLocation: number;
  private readonly lineStart: Uint32Array;
  private readonly limits: ReadLimits;
  /** The number of frames of the location with the most. */
  readonly framesMax: number;

  constructor(locations: LocationColumns, limits: ReadLimits) {
    this.lineStart = locations.lineStart;
    this.limits = limits;
    this.truncatedLocation = locations.length;
    let max = 1;
    for (let i = 0; i < locations.length; i++) max = Math.max(max, this.framesOf(i));
    this.framesMax = max;
  }

  /** A location without lines is one frame, named by its address. */
  private framesOf(location: number): number {
    if (location === this.truncatedLocation) return 1;
    return Math.max(1, this.lineStart[location + 1] - this.lineStart[location]);
  }

  /**
   * Cuts the leaf side of the stack that begins at `start`, whole locations at a time, and puts one truncated frame in its
   * place. The outermost location stays.
   */
  apply(location: GrowableUint32, start: number): void {
    const count = location.length - start;
    if (count * this.framesMax <= this.limits.depth) return;
    let frames = 0;
    let first = location.length;
    while (first > start) {
      frames += this.framesOf(location.array[first - 1]);
      if (frames > this.limits.depth) break;
      first--;
    }
    if (first === start) return;
    const outermost = location.length - 1;
    if (this.framesFrom(location, first) === this.limits.depth) first++;
    first = Math.min(first, outermost);
    location.array[first - 1] = this.truncatedLocation;
    location.array.copyWithin(start, first - 1, location.length);
    location.length -= first - 1 - start;
    this.trimmed++;
  }

  private framesFrom(location: GrowableUint32, first: number): number {
    let frames = 0;
    for (let at = first; at < location.length; at++) frames += this.framesOf(location.array[at]);
    return frames;
  }

  checkFrames(location: GrowableUint32): void {
    if (location.length * this.framesMax <= this.limits.frames) return;
    let frames = 0;
    for (let i = 0; i < location.length; i++) frames += this.framesOf(location.array[i]);
    if (frames > this.limits.frames) this.refuse(frames, 0);
  }

  refuse(frames: number, offset: number): never {
    const message = `The stacks have at least ${frames} frames, more than ${this.limits.frames}.`;
    throw new Refusal("too_large", message, "frames", offset);
  }
}
