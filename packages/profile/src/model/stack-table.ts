/**
 * Stacks as columns: the form in which profiles are summed, merged, stored and drawn.
 *
 * ```
 * stack i = frame[start[i]] .. frame[start[i + 1] - 1], leaf first, inlined frames expanded
 * values[t][i] = the sum of sample type t over all samples with stack i
 * ```
 */

export interface ValueType {
  readonly type: string;
  readonly unit: string;
}

/** Distinct frames. A frame is a function at a line; unsymbolised ones are named `mapping!0xaddr`. */
export interface FrameTable {
  readonly length: number;
  readonly functionName: readonly string[];
  /** The names as profilers wrote them, for example mangled ones; absent where they are the names above. */
  readonly storedName?: readonly string[];
  readonly file: readonly string[];
  /** 0 where unknown. */
  readonly line: Int32Array;
  /** Line on which the function starts, 0 where unknown. */
  readonly startLine: Int32Array;
  /** Whether each copy of a generic Go function counts as a separate function. */
  readonly hasInstantiations?: boolean;
  /** The frames before they were grouped: those that differ stay apart, under the function that shows them. */
  readonly ungrouped?: FrameTable;
  /** Content ids, two halves a frame, if the reader computed them. `hashStacks` returns them in any case. */
  readonly ids?: Uint32Array<ArrayBuffer>;
}

/** Distinct stacks with one value per sample type. Labels are summed away. */
export interface StackTable {
  readonly sampleTypes: readonly ValueType[];
  readonly frames: FrameTable;
  readonly length: number;
  /** length + 1 offsets into `frame`. */
  readonly start: Uint32Array;
  /** Indexes into `frames`, leaf first. */
  readonly frame: Uint32Array;
  /** One column per sample type. BigInt64Array only where a value or a total is beyond 2^53. */
  readonly values: readonly (Float64Array | BigInt64Array)[];
  /** Content ids, two halves a stack, if the reader computed them. */
  readonly ids?: Uint32Array<ArrayBuffer>;
}
