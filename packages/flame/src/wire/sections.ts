import type { ValueType } from "@flamekeep/profile";
import type { Scale } from "#tree/call-tree.ts";

/**
 * Binary flame graph, version 3:
 *
 * ```
 * "FKFG" 3  sectionCount (id byteLength)*  section*
 * ```
 *
 * A graph has one column of values, a comparison one for each side; the head says how many: see decision 28.
 *
 * Numbers are LEB128 varints; columns follow the tree's breadth-first order. Readers skip sections that they do not know,
 * so columns can be added. Totals, widths, positions, parents and levels follow from the columns and are not sent.
 *
 * The columns are arranged for the compression on their way, which finds repeated bytes: see decision 24.
 */
export const flameGraphMediaType = "application/vnd.flamekeep.flamegraph.v3";

export const magic = Uint8Array.of(0x46, 0x4b, 0x46, 0x47, 3);

export const section = {
  /** JSON: what the sender says about the graph, the value type, and for each column its scale and divisor. */
  meta: 1,
  /** Count, lengths in UTF-16 units, then all texts as one UTF-8 text. */
  strings: 2,
  /**
   * Count, then columns name, package, file (string indexes) and start line. Further columns follow where the table has them, each after
   * its number: see `furtherColumn`.
   */
  functions: 3,
  childCount: 4,
  /** The columns, one after the other: values of the leaves, then of the others, which are mostly zero. */
  self: 5,
  /** Function indexes as planes: the lowest byte of each, then the next byte of each, as many as the number of functions needs. */
  fn: 6,
  /** Each as its difference from the line of the node before it with the same function; absent where all are zero. */
  line: 7,
  /** Self samples of each node of a single column, in the order of `self`; absent where they equal it. */
  samples: 8,
  /** Nodes, functions, counts and the values of each column; of a single column also samples and widths. */
  elisions: 9,
  /** The first section: a nested file of the widest frames, to draw while the others arrive and are decoded; absent in small graphs. */
  preview: 10,
  /** Self, total, places, value of the package and self by owner of each function, over all frames, for each column; absent where all frames are sent. */
  allFrames: 11,
} as const;

/** Columns of functions that most graphs have not. */
export const furtherColumn = {
  /** For each function a count, and as many string indexes. */
  storedNames: 1,
  /** Columns name, stored name, file (string indexes) and start line. */
  frames: 2,
} as const;

/** Graphs with more nodes than this have a preview. */
export const previewFrom = 32_768;

/**
 * The nodes of a preview. Enough for the frames that are a pixel wide in most graphs: of a measured graph of a million nodes, the
 * narrowest of these is 1/2,358 of the whole.
 */
export const previewNodes = 4_096;

/** Bytes that an index below the bound takes. */
export function planesFor(below: number): number {
  let count = 1;
  while (below > 2 ** (8 * count)) count++;
  return count;
}

/** The facts about the columns that the head of a file has. */
export interface ColumnsHead {
  readonly valueType: ValueType;
  readonly scale: Scale;
  /** The values of each column were multiplied by these, so that means are sent as whole sums: these take a byte or two, fractions eight. */
  readonly divisors: readonly number[];
}

export interface FlameMeta {
  readonly profileId: string;
  /** The total of the sample type as the profile has it: exact, or wrapped around in 64 bits. */
  readonly totalSamples: number;
  readonly durationMs: number;
  readonly profileHash: string;
  /** Present in a graph over many profiles. */
  readonly merge?: MergeMeta;
}

/** The profiles in a graph over a time range. */
export interface MergeMeta {
  readonly service: string;
  readonly type: string;
  /** ISO 8601, included. */
  readonly from: string;
  /** ISO 8601, not included. */
  readonly to: string;
  readonly profilesMerged: number;
  /** Values of gauges are the mean over the profiles; of all else the sum. */
  readonly aggregation: "sum" | "mean";
  /** Every sample type of the range as `type/unit`, to choose from. */
  readonly sampleTypes: readonly string[];
  /** The tags by which the profiles were selected. */
  readonly tags: Readonly<Record<string, string>>;
  /** The labels that the samples have; an empty value means without the label. Absent for all samples. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The label whose values are the roots of the stacks. */
  readonly groupByLabel?: string;
}
