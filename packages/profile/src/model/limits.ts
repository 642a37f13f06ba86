import type { Bytes } from "./units.ts";

/**
 * How much of a profile is read. A profile beyond a hard limit is refused with the limit's name; what a
 * trimming limit cuts is counted in `Profile.trimmed`, so that nothing is cut silently.
 */
export interface ReadLimits {
  /** Hard: length of the inflated profile. */
  readonly bytes: Bytes;
  /** Hard. */
  readonly samples: number;
  /** Hard. */
  readonly locations: number;
  /** Hard: lines over all locations, inlined ones included. */
  readonly lines: number;
  /** Hard. */
  readonly functions: number;
  /** Hard. */
  readonly mappings: number;
  /** Hard: entries of the string table. */
  readonly strings: number;
  /** Hard. */
  readonly sampleTypes: number;
  /** Hard. Their texts may be one: a small file can name it often. */
  readonly comments: number;
  /** Hard: samples times sample types. */
  readonly values: number;
  /** Hard: frames over all samples, inlined ones expanded. A small file can reference many. */
  readonly frames: number;
  /** Hard: characters of the distinct frames, see `frameText`. A small file can give one long name to many lines. */
  readonly frameText: number;
  /** Hard: labels over all samples. */
  readonly labels: number;
  /** Trimming: frames of one stack. The leaf side is cut, so that the root stays in place; one truncated frame takes its place. */
  readonly depth: number;
  /** Trimming: labels of one sample. */
  readonly labelsPerSample: number;
  /** Trimming: bytes of one string. The tail is kept, because it holds the function of a qualified name. */
  readonly nameBytes: Bytes;
}

export const defaultLimits: ReadLimits = {
  bytes: 64 * 1024 * 1024,
  samples: 1_000_000,
  locations: 1_000_000,
  lines: 4_000_000,
  functions: 1_000_000,
  mappings: 100_000,
  strings: 2_000_000,
  sampleTypes: 128,
  comments: 1000,
  values: 32_000_000,
  frames: 20_000_000,
  frameText: 32 * 1024 * 1024,
  labels: 4_000_000,
  depth: 8192,
  labelsPerSample: 100,
  nameBytes: 8192,
};

/** How often each trimming limit cut something. */
export interface Trimmed {
  /** Samples and locations whose leaf side was cut. */
  readonly depth: number;
  /** Labels left out. */
  readonly labels: number;
  /** Strings cut to their tail. */
  readonly names: number;
  /** Lines, and start lines of functions, that are 0 because they do not fit 32 bits. */
  readonly lines: number;
  /** 1 where `drop_frames` or `keep_frames` is invalid or too costly to match: then no frame is dropped. */
  readonly drop_frames: number;
}

export const nothingTrimmed: Trimmed = { depth: 0, labels: 0, names: 0, lines: 0, drop_frames: 0 };

/**
 * The frame that takes the value of a stack whose leaf side was cut: the innermost remaining function was not the leaf, so the
 * value is not its self value. As a child of the root of a flame graph it contains stacks whose profiler kept only the innermost
 * frames.
 */
export const truncatedName = "[truncated]";
