/** Steps of width for each halving: frames of one step are as good as equally wide. */
const stepsPerHalving = 8;
/** Narrower ones than a millionth of a millionth of the first are in the last step. */
const steps = 40 * stepsPerHalving;

/**
 * Frames in buckets by width, the widest bucket first; the order within a bucket is not defined. Frames are never wider than the last one
 * taken, so it only moves on. Takes the same time for each frame, unlike the exact `WidthHeap`, whose order a tree of callers does not need.
 */
export class WidthBuckets {
  readonly #width: Float64Array;
  /** By step: the first of its frames, else -1. */
  readonly #first = new Int32Array(steps + 1).fill(-1);
  /** By frame: the next one of its step, else -1. */
  readonly #next: Int32Array;
  #step = 0;

  /** @param width of the first frame and of frames that are pushed later, which are never wider than the last one taken */
  constructor(width: Float64Array) {
    this.#width = width;
    this.#next = new Int32Array(width.length);
  }

  push(frame: number): void {
    const share = this.#width[0] / this.#width[frame];
    const step = Math.max(this.#step, Math.min(steps, Math.floor(Math.log2(share) * stepsPerHalving) || 0));
    this.#next[frame] = this.#first[step];
    this.#first[step] = frame;
  }

  /** The next frame, or -1. */
  pop(): number {
    while (this.#step < steps && this.#first[this.#step] === -1) this.#step++;
    const frame = this.#first[this.#step];
    if (frame !== -1) this.#first[this.#step] = this.#next[frame];
    return frame;
  }
}
