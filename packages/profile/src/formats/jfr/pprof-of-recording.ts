import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { tooLong } from "#wire/output.ts";
import { PprofWriter } from "#write/pprof-writer.ts";
import { type Recording, WideNumbers } from "./chunk-bytes.ts";
import { Constants } from "./constants.ts";
import { ContextLabels } from "./context-labels.ts";
import type { DatadogSpans } from "./datadog.ts";
import { ChunkEvents, columnOf, columns } from "./events.ts";
import { stepsMax } from "./layout.ts";
import { type ChunkHeader, isChunk, readHeader, readMetadata } from "./metadata.ts";
import type { EventContext, Rows } from "./rows.ts";
import { Settings } from "./settings.ts";
import { StackTraces } from "./stack-traces.ts";

/**
 * A recording of Java Flight Recorder, or of async-profiler in its format, as pprof. It is a list of chunks, and each chunk describes itself:
 *
 * ```
 * header (68 bytes)   sizes, start, and where the two tables are
 * events              size, class, values; between them:
 *   constants         stack traces, methods, names: by class and id       constants.ts
 *   metadata          classes and their fields                            metadata.ts, layout.ts
 * ```
 *
 * Events of unknown classes are skipped. Events are summed by stack trace and context within a chunk (events.ts, rows.ts), and each sum is a
 * sample (stack-traces.ts, pprof-writer.ts): names are copied as bytes, and the reader of pprof finds equal frames and stacks of several
 * chunks. Behind the last chunk there may be labels of contexts (context-labels.ts).
 *
 * @throws Refusal
 */
export function pprofOfRecording(file: Uint8Array, limits: ReadLimits): Uint8Array {
  try {
    return convert(file, limits);
  } catch (error) {
    if (error !== tooLong) throw error;
    const message = `The samples of the recording are more than ${limits.bytes} bytes as pprof.`;
    throw new Refusal("too_large", message, "bytes", limits.bytes);
  }
}

function convert(file: Uint8Array, limits: ReadLimits): Uint8Array {
  const left = { steps: stepsMax, constants: limits.strings, rows: limits.samples };
  const recording: Recording = { file, limits, wide: new WideNumbers(limits.strings), left };
  const headers = readHeaders(file);
  const context = new ContextLabels(recording, headers.at(-1)!.end);
  const settings = new Settings();
  const chunks = headers.map((header): Chunk => {
    const classes = readMetadata(recording, header);
    const constants = new Constants(recording, header, classes);
    const { rows, datadog } = new ChunkEvents(recording, header, { classes, constants, settings });
    return { constants, rows, datadog };
  });
  const used = columns.flatMap((_, column) =>
    chunks.some(({ rows }) => hasValues(rows, column)) ? [column] : [],
  );
  if (used.length === 0) {
    const message = "The recording has no samples of CPU, wall time, allocations, live objects or locks.";
    throw new Refusal("empty", message, "events", 0);
  }
  const writer = new PprofWriter(limits.bytes);
  for (const column of used) writer.valueType(0x0a, columns[column]);
  const samples = new Samples(writer, { recording, context, used });
  for (const chunk of chunks) samples.add(chunk);
  writeFacts(writer, { headers, settings, hasCpu: used.includes(columnOf.cpu) });
  return writer.out.bytes.subarray(0, writer.out.length);
}

interface Chunk {
  readonly constants: Constants;
  readonly rows: Rows;
  readonly datadog: DatadogSpans | undefined;
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

interface SampleScope {
  readonly recording: Recording;
  readonly context: ContextLabels;
  /** Columns that have values in any chunk. */
  readonly used: readonly number[];
}

class Samples {
  readonly #writer: PprofWriter;
  readonly #scope: SampleScope;
  #framesLeft: number;

  constructor(writer: PprofWriter, scope: SampleScope) {
    this.#writer = writer;
    this.#scope = scope;
    this.#framesLeft = scope.recording.limits.frames;
  }

  add({ constants, rows, datadog }: Chunk): void {
    const { limits } = this.#scope.recording;
    const { out } = this.#writer;
    const stackTraces = new StackTraces(constants, this.#writer);
    const labels: (Uint8Array | undefined)[] = [];
    for (let row = 0; row < rows.length; row++) {
      const depth = stackTraces.prepare(rows.stackTraceOf(row));
      this.#framesLeft -= depth;
      if (this.#framesLeft < 0) throw tooManyFrames(limits.frames);
      const context = rows.contextOf(row);
      labels[context] ??= this.#labelsOf(rows.eventContext(context), datadog);
      const sample = out.open(0x12);
      if (depth > 0) stackTraces.write();
      this.#values(rows, row);
      out.copy(labels[context], 0, labels[context].length);
      out.close(sample);
    }
  }

  #values(rows: Rows, row: number): void {
    const { out } = this.#writer;
    const values = out.open(0x12);
    for (const column of this.#scope.used) {
      const value = rows.valueOf(row, column);
      if (value >= 2 ** 63) throw tooMuch();
      out.number(value);
    }
    out.close(values);
  }

  #labelsOf(event: EventContext, datadog: DatadogSpans | undefined): Uint8Array {
    if (datadog !== undefined) return this.#writer.labels(datadog.labelsOf(event));
    const { contextId, spanId, spanName } = event;
    const { context, recording } = this.#scope;
    const name = context.text(spanName) ?? "";
    return this.#writer.labels({
      ...context.labelsOf(contextId),
      ...(spanId !== 0 && { profile_id: recording.wide.toBigInt(spanId).toString(16).padStart(16, "0") }),
      ...(spanName !== 0 && name !== "" && { span_name: name }),
    });
  }
}

function tooManyFrames(max: number): Refusal {
  return new Refusal("too_large", `The stacks of the recording have more than ${max} frames.`, "frames", max);
}

function tooMuch(): Refusal {
  const message = "The values of the recording's events do not fit 64 bits in sum.";
  return new Refusal("invalid", message, "event", 0);
}

interface Facts {
  readonly headers: readonly ChunkHeader[];
  readonly settings: Settings;
  readonly hasCpu: boolean;
}

function writeFacts(writer: PprofWriter, { headers, settings, hasCpu }: Facts): void {
  const [{ startNs }] = headers as readonly [ChunkHeader];
  const { startNs: lastNs, durationNs } = headers.at(-1)!;
  const spanNs = lastNs - startNs + durationNs;
  const { out } = writer;
  out.bigint(0x48, startNs);
  // A profile without a duration would be taken for a snapshot.
  out.bigint(0x50, spanNs > 0n ? spanNs : 1n);
  if (!hasCpu) return;
  writer.valueType(0x5a, { type: "cpu", unit: "nanoseconds" });
  out.bigint(0x60, BigInt(settings.cpuIntervalNs));
  const cpu = writer.text("cpu");
  out.varint(0x70);
  out.varint(cpu);
}
