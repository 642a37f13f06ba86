import type { ReadLimits } from "#model/limits.ts";
import { truncatedName } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { type LineFrame, type LineLabels, StackLines } from "#write/stack-lines.ts";
import { WideNumbers } from "./chunk-bytes.ts";
import { Constants, type FrameSink } from "./constants.ts";
import { ContextLabels } from "./context-labels.ts";
import { ChunkEvents, columnOf, columns, type Row, Settings } from "./events.ts";
import { type ChunkHeader, isChunk, readHeader, readMetadata } from "./metadata.ts";

/**
 * A recording of Java Flight Recorder, or of async-profiler in its format. It is a list of chunks, and each chunk describes itself:
 *
 * ```
 * header (68 bytes)   sizes, start, and where the two tables are
 * events              size, class, values; between them:
 *   constants         stack traces, methods, names: by class and id       constants.ts
 *   metadata          classes and their fields                            metadata.ts, layout.ts
 * ```
 *
 * Events of unknown classes are skipped. Stack traces are summed by chunk (events.ts), and become stacks of one profile. Behind the last chunk
 * there may be labels of contexts (context-labels.ts).
 */
export function readRecording(file: Uint8Array, limits: ReadLimits): Profile {
  const wide = new WideNumbers();
  const headers = readHeaders(file);
  const last = headers.at(-1)!;
  const context = new ContextLabels(file, last.end, { wide, limits });
  const settings = new Settings();
  const stacks = new StackLines(columns.length, limits);
  const sink = { frameOf: frameWithin(stacks, limits), limits };
  let rowsLeft = limits.samples;
  for (const header of headers) {
    const classes = readMetadata(file, header, wide, limits);
    const constants = new Constants(file, header, { classes, wide, sink });
    const parts = { classes, constants, wide, settings, rowsMax: rowsLeft };
    const { rows } = new ChunkEvents(file, header, parts);
    rowsLeft -= rows.length;
    addRows(stacks, rows, { constants, context, wide, sink });
  }
  return withoutUnusedColumns(stacks.profile(columns, factsOf(headers, settings)));
}

function readHeaders(file: Uint8Array): ChunkHeader[] {
  const headers: ChunkHeader[] = [];
  for (let at = 0; isChunk(file, at); at = headers.at(-1)!.end) headers.push(readHeader(file, at));
  return headers;
}

/** Two short texts can make many long names: a class has many methods. */
function frameWithin(stacks: StackLines, { frameText }: ReadLimits): FrameSink["frameOf"] {
  let textLeft = frameText;
  return (frame: LineFrame) => {
    textLeft -= frame.name.length;
    if (textLeft >= 0) return stacks.frame(frame);
    const message = `The names of the recording's frames are more than ${frameText} characters long together.`;
    throw new Refusal("too_large", message, "frameText", frameText);
  };
}

interface RowScope {
  readonly constants: Constants;
  readonly context: ContextLabels;
  readonly wide: WideNumbers;
  readonly sink: FrameSink;
}

function addRows(
  stacks: StackLines,
  rows: readonly Row[],
  { constants, context, wide, sink }: RowScope,
): void {
  for (const row of rows) {
    const { frames, isTruncated } = constants.stackTrace(row.stackTrace) ?? {
      frames: [],
      isTruncated: false,
    };
    const all = isTruncated ? [...frames, sink.frameOf({ name: truncatedName, file: "", line: 0 })] : frames;
    stacks.add(all, row.values, labelsOf(row, context, wide));
  }
}

function labelsOf(
  { contextId, spanId, spanName }: Row,
  context: ContextLabels,
  wide: WideNumbers,
): LineLabels {
  if (contextId === 0 && spanId === 0 && spanName === 0) return {};
  const name = context.text(spanName) ?? "";
  return {
    ...context.labelsOf(contextId),
    ...(spanId === 0 ? {} : { profile_id: wide.toBigInt(spanId).toString(16).padStart(16, "0") }),
    ...(spanName === 0 || name === "" ? {} : { span_name: name }),
  };
}

function factsOf(headers: readonly ChunkHeader[], { cpuIntervalNs }: Settings) {
  const [{ startNs }] = headers as readonly [ChunkHeader];
  const { startNs: lastNs, durationNs } = headers.at(-1)!;
  const spanNs = lastNs - startNs + durationNs;
  return {
    timeNs: startNs,
    // A profile without a duration would be taken for a snapshot.
    durationNs: spanNs > 0n ? spanNs : 1n,
    ...(cpuIntervalNs > 0 && {
      periodType: { type: "cpu", unit: "nanoseconds" },
      period: BigInt(cpuIntervalNs),
    }),
  };
}

function withoutUnusedColumns(profile: Profile): Profile {
  const { samples, sampleTypes } = profile;
  const used = sampleTypes.flatMap((_, index) =>
    samples.values[index].some((value) => value !== 0) ? [index] : [],
  );
  if (used.length === 0) {
    const message = "The recording has no samples of CPU, wall time, allocations, live objects or locks.";
    throw new Refusal("empty", message, "events", 0);
  }
  return {
    ...profile,
    sampleTypes: used.map((index) => sampleTypes[index]),
    defaultSampleType: used.includes(columnOf.cpu) ? "cpu" : "",
    samples: { ...samples, values: used.map((index) => samples.values[index]) },
  };
}
