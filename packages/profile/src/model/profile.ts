import type { Trimmed } from "./limits.ts";
import type { ValueType } from "./stack-table.ts";
import type { Nanoseconds } from "./units.ts";

/**
 * A pprof profile as columns: one typed array per field of profile.proto, no object per sample or location.
 *
 * ```
 * sample i -> samples.location[locationStart[i] .. locationStart[i + 1])   leaf first, indexes of locations
 * location j -> locations.lineFunction[lineStart[j] .. lineStart[j + 1])   innermost inlined first
 * ```
 *
 * References between tables are indexes, checked by the reader. Columns named `name`, `file`, `key` … hold
 * indexes of `strings`; entry 0 is "". Ids, addresses and numeric labels are 64 bits wide.
 */
export interface Profile {
  readonly sampleTypes: readonly ValueType[];
  /** A sample type's name, or "". */
  readonly defaultSampleType: string;
  readonly periodType: ValueType;
  /** Events between two samples, in the unit of periodType. */
  readonly period: bigint;
  /** Nanoseconds since 1970; 0 where unknown. CPU profiles give the start, snapshots their moment. */
  readonly timeNs: Nanoseconds;
  /** 0 for snapshots. */
  readonly durationNs: Nanoseconds;
  readonly dropFrames: string;
  readonly keepFrames: string;
  readonly comments: readonly string[];
  readonly docUrl: string;
  readonly strings: readonly string[];
  /** Content ids of the strings, two halves each, where the reader made them from the bytes. */
  readonly stringIds?: Uint32Array<ArrayBuffer>;
  /** 1 for each function that `dropFrames` names and `keepFrames` does not, where the reader has matched them. */
  readonly drops?: Uint8Array;
  readonly samples: SampleColumns;
  readonly labels: LabelColumns;
  readonly mappings: MappingColumns;
  readonly locations: LocationColumns;
  readonly functions: FunctionColumns;
  readonly trimmed: Trimmed;
}

/** int64 values: BigInt64Array only where a value or the sum of the absolute values is beyond 2^53. */
export type ValueColumn = Float64Array | BigInt64Array;

export interface SampleColumns {
  readonly length: number;
  /** length + 1 offsets into `location`. */
  readonly locationStart: Uint32Array;
  readonly location: Uint32Array;
  /** length + 1 offsets into the label columns. */
  readonly labelStart: Uint32Array;
  /** One column per sample type. */
  readonly values: readonly ValueColumn[];
}

/** A label is text, or a number with an optional unit where `text` is 0. */
export interface LabelColumns {
  readonly length: number;
  readonly key: Uint32Array;
  readonly text: Uint32Array;
  readonly number: BigInt64Array;
  readonly unit: Uint32Array;
}

export interface MappingColumns {
  readonly length: number;
  readonly id: BigUint64Array;
  readonly start: BigUint64Array;
  readonly limit: BigUint64Array;
  readonly offset: BigUint64Array;
  readonly file: Uint32Array;
  readonly buildId: Uint32Array;
  /** Bits: 1 has_functions, 2 has_filenames, 4 has_line_numbers, 8 has_inline_frames. */
  readonly flags: Uint8Array;
}

export interface LocationColumns {
  readonly length: number;
  readonly id: BigUint64Array;
  /** Index of mappings, -1 where there is none. */
  readonly mapping: Int32Array;
  readonly address: BigUint64Array;
  /** 1 if the address represents several folded frames. */
  readonly isFolded: Uint8Array;
  /** length + 1 offsets into the three line columns. All lines but the last of a location are inlined. */
  readonly lineStart: Uint32Array;
  readonly lineFunction: Uint32Array;
  /** 0 where unknown or beyond 32 bits: see `Trimmed`. */
  readonly line: Int32Array;
  readonly column: Int32Array;
}

export interface FunctionColumns {
  readonly length: number;
  readonly id: BigUint64Array;
  readonly name: Uint32Array;
  readonly systemName: Uint32Array;
  readonly file: Uint32Array;
  readonly startLine: Int32Array;
}
