import { GrowableUint32 } from "#memory/growable.ts";
import { Tuples } from "#memory/tuples.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { LineLabels, StackLines } from "#write/stack-lines.ts";
import { invalid } from "./json-text.ts";

const none = -1;
const beingFollowed = 2 ** 32 - 1;

/**
 * Calls below calls, as most profiles in JSON hold stacks: a call is a frame and the call that made it. Values belong to the call itself,
 * without the calls that it makes. Parents may be known after their children, and may be damaged.
 */
export class CallTree {
  readonly #stacks: StackLines;
  readonly #limits: ReadLimits;
  readonly #parent: number[] = [];
  readonly #frame: number[] = [];
  readonly #children = new Tuples(2);
  readonly #childCalls: number[] = [];
  readonly #values: number[][];
  /** The calls that have values. */
  #used: number[] = [];
  readonly #isUsed: boolean[] = [];
  readonly #carry: number[];
  readonly #totals: number[];
  readonly #depths = new GrowableUint32(16);
  /** The call at which the stack of each call ends: itself, or the one that is first beyond the limit of depth. */
  readonly #ends = new GrowableUint32(16);

  constructor(stacks: StackLines, columns: number, limits: ReadLimits) {
    this.#stacks = stacks;
    this.#limits = limits;
    this.#values = Array.from({ length: columns }, () => []);
    this.#carry = new Array<number>(columns).fill(0);
    this.#totals = new Array<number>(columns).fill(0);
  }

  get length(): number {
    return this.#parent.length;
  }

  /** A new call. */
  call(frame: number, parent = none): number {
    const { locations, values } = this.#limits;
    if (this.#parent.length >= locations) {
      const message = `The profile has more than ${locations} calls in its tree.`;
      throw new Refusal("too_large", message, "locations", locations);
    }
    if ((this.#parent.length + 1) * this.#values.length > values) {
      const message = `The profile has more than ${values} values, one for each sample type and call in its tree.`;
      throw new Refusal("too_large", message, "values", values);
    }
    this.#parent.push(parent);
    for (const column of this.#values) column.push(0);
    this.#isUsed.push(false);
    return this.#frame.push(frame) - 1;
  }

  setParent(call: number, parent: number): void {
    this.#parent[call] = parent;
  }

  parentOf(call: number): number {
    return this.#parent[call]!;
  }

  /** The call of a frame by another call, made where it is the first one. */
  child(parent: number, frame: number): number {
    const child = this.#children.intern(parent + 1, frame);
    this.#childCalls[child] ??= this.call(frame, parent);
    return this.#childCalls[child];
  }

  add(call: number, column: number, value: number): void {
    if (value === 0) return;
    if (this.#isUsed[call] === false) {
      this.#isUsed[call] = true;
      this.#used.push(call);
    }
    this.#values[column]![call]! += value;
  }

  /**
   * Moves the values to the stacks as whole numbers: their sum is the rounded sum of the values.
   *
   * @param scales of each column
   */
  write(labels: LineLabels, scales: readonly number[]): void {
    this.#addEnds();
    const ends = this.#ends.array;
    const frames: number[] = [];
    for (const call of this.#used) {
      const values = this.#values.map((column, at) => this.#whole(at, column[call]! * scales[at]!));
      for (const column of this.#values) column[call] = 0;
      this.#isUsed[call] = false;
      if (values.every((value) => value === 0)) continue;
      frames.length = 0;
      for (let at = ends[call]!; at !== none; at = this.#parent[at]!) frames.push(this.#frame[at]!);
      this.#stacks.add(frames, values, labels);
    }
    this.#used = [];
  }

  #whole(column: number, value: number): number {
    const exact = value + this.#carry[column]!;
    const whole = Math.round(exact);
    this.#carry[column] = exact - whole;
    this.#totals[column]! += Math.abs(whole);
    if (this.#totals[column]! < 2 ** 63) return whole;
    throw invalid("values", "its values do not fit 64 bits in sum");
  }

  /** For the calls since the last time: a file may have a million profiles of one tree. */
  #addEnds(): void {
    const parents = this.#parent;
    const first = this.#ends.length;
    for (let call = first; call < parents.length; call++) {
      this.#depths.push(0);
      this.#ends.push(0);
    }
    const [depths, ends] = [this.#depths.array, this.#ends.array];
    const path: number[] = [];
    for (let call = first; call < parents.length; call++) {
      let at = call;
      for (; at !== none && depths[at] === 0; at = parents[at]!) {
        depths[at] = beingFollowed;
        path.push(at);
      }
      if (at !== none && depths[at] === beingFollowed)
        throw invalid("parent", "a call calls itself in its tree");
      let depth = at === none ? 0 : depths[at]!;
      for (let next = path.pop(); next !== undefined; next = path.pop()) {
        depths[next] = ++depth;
        ends[next] = depth <= this.#limits.depth + 1 ? next : ends[parents[next]!]!;
      }
    }
  }
}
