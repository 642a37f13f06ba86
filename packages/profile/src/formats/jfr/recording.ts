import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { type LineFrame, type LineLabels, StackLines } from "#write/stack-lines.ts";
import type { StackFacts } from "#write/write-profile.ts";
import { type Recording, WideNumbers } from "./chunk-bytes.ts";
import { Constants } from "./constants.ts";
import { ContextLabels } from "./context-labels.ts";
import { ChunkEvents, columnOf, columns, Settings } from "./events.ts";
import { stepsMax } from "./layout.ts";
import { type ChunkHeader, isChunk, readHeader, readMetadata } from "./metadata.ts";
import type { EventContext, Rows } from "./rows.ts";

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
  const left = { steps: stepsMax, constants: limits.strings, rows: limits.samples };
  const recording: Recording = { file, limits, wide: new WideNumbers(limits.strings), left };
  const headers = readHeaders(file);
  const context = new ContextLabels(recording, headers.at(-1)!.end);
  const settings = new Settings();
  const chunks = headers.map((header): Chunk => {
    const classes = readMetadata(recording, header);
    const constants = new Constants(recording, header, classes);
    return { constants, rows: new ChunkEvents(recording, header, { classes, constants, settings }).rows };
  });
  const used = columns.flatMap((_, column) =>
    chunks.some(({ rows }) => hasValues(rows, column)) ? [column] : [],
  );
  if (used.length === 0) {
    const message = "The recording has no samples of CPU, wall time, allocations, live objects or locks.";
    throw new Refusal("empty", message, "events", 0);
  }
  const stacks = new StackLines(used.length, limits);
  for (const chunk of chunks) addRows(stacks, chunk, { recording, context, used });
  return stacks.profile(
    used.map((column) => columns[column]),
    factsOf(headers, settings, used.includes(columnOf.cpu)),
  );
}

interface Chunk {
  readonly constants: Constants;
  readonly rows: Rows;
}

/** The JDK begins a chunk every 12 MB, and async-profiler one an hour. */
const chunksMax = 4096;

function readHeaders(file: Uint8Array): ChunkHeader[] {
  const headers: ChunkHeader[] = [];
  for (let at = 0; isChunk(file, at); at = headers.at(-1)!.end) {
    if (headers.length === chunksMax) {
      const message = `The recording has more than ${chunksMax} chunks.`;
      throw new Refusal("too_large", message, "samples", chunksMax);
    }
    headers.push(readHeader(file, at));
  }
  return headers;
}

function hasValues(rows: Rows, column: number): boolean {
  return rows.values[column]?.some((value) => value !== 0) === true;
}

interface RowScope {
  readonly recording: Recording;
  readonly context: ContextLabels;
  /** Columns that have values in any chunk. */
  readonly used: readonly number[];
}

function addRows(
  stacks: StackLines,
  { constants, rows }: Chunk,
  { recording, context, used }: RowScope,
): void {
  const frameOf = (frame: LineFrame) => stacks.frame(frame);
  const values = new Float64Array(used.length);
  for (let row = 0; row < rows.length; row++) {
    const frames = constants.stackTrace(rows.stackTraces[row], frameOf);
    for (let at = 0; at < used.length; at++) values[at] = rows.valueOf(row, used[at]);
    stacks.add(frames, values, labelsOf(rows.contextOf(row), context, recording));
  }
}

function labelsOf(
  { contextId, spanId, spanName }: EventContext,
  context: ContextLabels,
  { wide }: Recording,
): LineLabels {
  if (contextId === 0 && spanId === 0 && spanName === 0) return {};
  const name = context.text(spanName) ?? "";
  return {
    ...context.labelsOf(contextId),
    ...(spanId === 0 ? {} : { profile_id: wide.toBigInt(spanId).toString(16).padStart(16, "0") }),
    ...(spanName === 0 || name === "" ? {} : { span_name: name }),
  };
}

function factsOf(headers: readonly ChunkHeader[], { cpuIntervalNs }: Settings, hasCpu: boolean): StackFacts {
  const [{ startNs }] = headers as readonly [ChunkHeader];
  const { startNs: lastNs, durationNs } = headers.at(-1)!;
  const spanNs = lastNs - startNs + durationNs;
  return {
    timeNs: startNs,
    // A profile without a duration would be taken for a snapshot.
    durationNs: spanNs > 0n ? spanNs : 1n,
    defaultSampleType: hasCpu ? "cpu" : "",
    ...(hasCpu && {
      periodType: { type: "cpu", unit: "nanoseconds" },
      period: BigInt(cpuIntervalNs),
    }),
  };
}
