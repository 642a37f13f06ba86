import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { ChunkBytes, type Recording } from "./chunk-bytes.ts";
import type { Constants } from "./constants.ts";
import { DatadogSpans, datadogKinds } from "./datadog.ts";
import { type Layout, layoutOf, readValues, type Slots } from "./layout.ts";
import { type ChunkHeader, type Classes, headerBytes } from "./metadata.ts";
import { Rows } from "./rows.ts";
import type { Settings } from "./settings.ts";

/**
 * The sample types of events. Their names are those that `describe/measures.ts` knows. Allocations that are sampled (Java 16 and newer) come after those by
 * buffers (TLAB): a recording may have both, of the same objects, and the first of them is what was allocated.
 */
const columnTypes = {
  cpuSamples: ["cpu_samples", "count"],
  cpu: ["cpu", "nanoseconds"],
  cpuTimeSamples: ["cpu_time_samples", "count"],
  cpuTime: ["cpu_time", "nanoseconds"],
  wallSamples: ["wall_samples", "count"],
  wall: ["wall", "nanoseconds"],
  nativeSamples: ["native_samples", "count"],
  inTlabObjects: ["alloc_in_new_tlab_objects", "count"],
  inTlabBytes: ["alloc_in_new_tlab_bytes", "bytes"],
  outsideTlabObjects: ["alloc_outside_tlab_objects", "count"],
  outsideTlabBytes: ["alloc_outside_tlab_bytes", "bytes"],
  sampledObjects: ["alloc_sample_objects", "count"],
  sampledBytes: ["alloc_sample_bytes", "bytes"],
  liveObjects: ["heap_live_samples", "count"],
  liveBytes: ["heap_live_size", "bytes"],
  mallocs: ["malloc_objects", "count"],
  mallocBytes: ["malloc_bytes", "bytes"],
  locks: ["lock_count", "count"],
  lockTime: ["lock_time", "nanoseconds"],
  parks: ["park_events", "count"],
  parkTime: ["park_time", "nanoseconds"],
} as const satisfies Readonly<Record<string, readonly [type: string, unit: string]>>;

type Column = keyof typeof columnTypes;
const columnNames = Object.keys(columnTypes) as Column[];

export const columns: readonly ValueType[] = Object.values(columnTypes).map(([type, unit]) => ({
  type,
  unit,
}));
export const columnOf = Object.fromEntries(columnNames.map((name, index) => [name, index])) as Readonly<
  Record<Column, number>
>;

interface EventKind {
  /** Counts the events. */
  readonly count: Column;
  /** The sum of a field. */
  readonly sum?: { readonly column: Column; readonly field: string; readonly isTicks?: true };
  /** The event counts as many times as its field `weight` says. */
  readonly isWeighted?: true;
}

const kinds = {
  "jdk.ExecutionSample": { count: "cpuSamples" },
  "jdk.CPUTimeSample": {
    count: "cpuTimeSamples",
    sum: { column: "cpuTime", field: "samplingPeriod", isTicks: true },
  },
  "profiler.WallClockSample": { count: "wallSamples" },
  // A thread in a native method runs or waits: the event does not say.
  "jdk.NativeMethodSample": { count: "nativeSamples" },
  "jdk.ObjectAllocationInNewTLAB": {
    count: "inTlabObjects",
    sum: { column: "inTlabBytes", field: "tlabSize" },
  },
  "jdk.ObjectAllocationOutsideTLAB": {
    count: "outsideTlabObjects",
    sum: { column: "outsideTlabBytes", field: "allocationSize" },
  },
  "jdk.ObjectAllocationSample": { count: "sampledObjects", sum: { column: "sampledBytes", field: "weight" } },
  "profiler.LiveObject": { count: "liveObjects", sum: { column: "liveBytes", field: "allocationSize" } },
  "profiler.Malloc": { count: "mallocs", sum: { column: "mallocBytes", field: "size" } },
  "jdk.JavaMonitorEnter": {
    count: "locks",
    sum: { column: "lockTime", field: "duration", isTicks: true },
  },
  "jdk.ThreadPark": { count: "parks", sum: { column: "parkTime", field: "duration", isTicks: true } },
  ...datadogKinds,
} as const satisfies Readonly<Record<string, EventKind>>;

type EventName = keyof typeof kinds;

const slot = { stackTrace: 0, contextId: 1, spanId: 2, spanName: 3, state: 4, samples: 5, sum: 6 } as const;
const datadogSlot = {
  ...slot,
  localRoot: slot.contextId,
  thread: slot.spanName,
  operation: slot.state,
} as const;
const slotCount = 7;
const settingSlots: Slots = { id: 0, name: 1, value: 2 };
const commonSlots: Slots = {
  stackTrace: slot.stackTrace,
  contextId: slot.contextId,
  spanId: slot.spanId,
  spanName: slot.spanName,
  state: slot.state,
};
const datadogSlots: Slots = {
  stackTrace: slot.stackTrace,
  spanId: slot.spanId,
  localRootSpanId: datadogSlot.localRoot,
  eventThread: datadogSlot.thread,
  "_dd.trace.operation": datadogSlot.operation,
  weight: slot.samples,
};

interface EventReader {
  readonly layout: Layout;
  /** The values that an event of this kind lacks are 0. */
  readonly slots: Float64Array;
  readonly name: EventName;
  readonly count: number;
  /** -1 where nothing is summed. */
  readonly sum: number;
  readonly nsPerTick: number;
  readonly isWeighted: boolean;
}

/** An event that samples need, which may come after them. */
interface FactReader {
  readonly layout: Layout;
  readonly slots: Float64Array;
  readonly add: (values: Float64Array) => void;
}

/** Sums the events of a chunk by stack trace and context. */
export class ChunkEvents {
  readonly rows: Rows;
  /** Set if the chunk is of Datadog's profiler. */
  readonly datadog: DatadogSpans | undefined;
  readonly #bytes: ChunkBytes;
  readonly #header: ChunkHeader;
  readonly #classes: Classes;
  readonly #constants: Constants;
  readonly #settings: Settings;
  /** The values of the event that was read last. */
  #slots: Float64Array = new Float64Array(slotCount);
  readonly #states = new Map<number, string>();

  constructor(
    recording: Recording,
    header: ChunkHeader,
    parts: { classes: Classes; constants: Constants; settings: Settings },
  ) {
    this.rows = new Rows(columns.length, recording);
    this.#header = header;
    this.#classes = parts.classes;
    this.#constants = parts.constants;
    this.#settings = parts.settings;
    this.#bytes = new ChunkBytes(recording, header, header.start);
    const isOfDatadog = parts.classes.idOf("datadog.ExecutionSample") !== undefined;
    if (isOfDatadog) this.datadog = new DatadogSpans(parts.constants, recording.wide);
    this.#readEvents();
    if (isOfDatadog) this.rows.round();
    this.#addTime(columnOf.cpuSamples, columnOf.cpu, parts.settings.cpuIntervalNs);
    this.#addTime(columnOf.wallSamples, columnOf.wall, parts.settings.wallIntervalNs);
  }

  /** Settings and endpoints may come after the samples that they are about, and are read first. */
  #readEvents(): void {
    const bytes = this.#bytes;
    const readers = this.#eventReaders();
    const facts = this.#factReaders();
    const { start, end } = this.#header;
    const found: number[] = [];
    for (let at = start + headerBytes; at < end; ) {
      bytes.pos = at;
      bytes.end = end;
      const size = bytes.int();
      const next = at + size;
      if (size <= 0 || next > end) throw wrongSize(size, at);
      const id = bytes.long();
      const fact = facts.get(id);
      if (fact !== undefined) {
        this.#readValues(fact, next);
        fact.add(fact.slots);
      } else if (readers.has(id)) found.push(at);
      at = next;
    }
    for (const at of found) {
      bytes.pos = at;
      bytes.end = end;
      const next = at + bytes.int();
      const reader = readers.get(bytes.long())!;
      this.#readValues(reader, next);
      this.#addEvent(reader);
    }
  }

  #readValues({ layout, slots }: Pick<EventReader, "layout" | "slots">, end: number): void {
    this.#bytes.end = end;
    this.#slots = slots;
    readValues(this.#bytes, layout, slots);
  }

  #factReaders(): Map<number, FactReader> {
    const readers = new Map<number, FactReader>();
    const read = (name: string, slots: Slots, add: FactReader["add"]) => {
      const id = this.#classes.idOf(name);
      if (id === undefined) return;
      readers.set(id, {
        layout: layoutOf(this.#classes, id, slots),
        slots: new Float64Array(slotCount),
        add,
      });
    };
    read("jdk.ActiveSetting", settingSlots, (values) => this.#addSetting(values));
    if (this.datadog === undefined) return readers;
    read("datadog.DatadogProfilerConfig", { cpuInterval: 0, wallInterval: 1 }, ([cpuMs, wallMs]) =>
      this.#settings.setDatadog(cpuMs, wallMs),
    );
    read("datadog.Endpoint", { localRootSpanId: 0, endpoint: 1 }, ([localRoot, endpoint]) =>
      this.datadog?.addEndpoint(localRoot, endpoint),
    );
    return readers;
  }

  #addSetting([of, name, value]: Float64Array): void {
    if (name === 0 || value === 0) return;
    const isOfSamples = of === this.#classes.idOf("jdk.ExecutionSample");
    this.#settings.set(this.#constants.textAt(name), this.#constants.textAt(value), isOfSamples);
  }

  #eventReaders(): Map<number, EventReader> {
    const readers = new Map<number, EventReader>();
    for (const [name, { count, sum, isWeighted = false }] of Object.entries(kinds) as [
      EventName,
      EventKind,
    ][]) {
      const id = this.#classes.idOf(name);
      if (id === undefined) continue;
      const slots: Slots = {
        ...(isWeighted ? datadogSlots : commonSlots),
        ...(name === "profiler.WallClockSample" ? { samples: slot.samples } : {}),
        ...(sum === undefined ? {} : { [sum.field]: slot.sum }),
      };
      readers.set(id, {
        layout: layoutOf(this.#classes, id, slots),
        slots: new Float64Array(slotCount),
        name,
        count: columnOf[count],
        sum: sum === undefined ? -1 : columnOf[sum.column],
        nsPerTick: sum?.isTicks ? 1e9 / this.#header.ticksPerSecond : 1,
        isWeighted,
      });
    }
    return readers;
  }

  #addEvent({ name, count, sum, nsPerTick, isWeighted }: EventReader): void {
    if (isWeighted) this.#addWeighted(count, sum);
    else if (name === "jdk.ExecutionSample") this.#addSample();
    else if (name === "profiler.WallClockSample") this.#addWallSample();
    else {
      const row = this.#row();
      this.rows.add(row, count, 1);
      if (sum >= 0) this.rows.add(row, sum, Math.round(this.#amount(slot.sum) * nsPerTick));
    }
  }

  #addWeighted(count: number, sum: number): void {
    const row = this.#row();
    const weight = this.#amount(slot.samples);
    this.rows.add(row, count, weight);
    if (sum >= 0) this.rows.add(row, sum, weight * this.#amount(slot.sum));
    const { localRoot, operation } = datadogSlot;
    this.datadog?.addOperation(this.#slots[localRoot], this.#slots[operation]);
  }

  /** In its mode `wall`, async-profiler also samples threads that wait. */
  #addSample(): void {
    if (this.#state() !== "STATE_SLEEPING") this.#add(columnOf.cpuSamples, 1);
    if (this.#settings.event === "wall") this.#add(columnOf.wallSamples, 1);
  }

  #addWallSample(): void {
    const samples = this.#amount(slot.samples);
    this.#add(columnOf.wallSamples, samples);
    // Without samples of the CPU, those of running threads are the next best.
    if (this.#settings.event === "wall" && this.#state() === "STATE_RUNNABLE")
      this.#add(columnOf.cpuSamples, samples);
  }

  #state(): string {
    const id = this.#slots[slot.state];
    let state = this.#states.get(id);
    if (state === undefined) {
      state = this.#constants.threadState(id);
      this.#states.set(id, state);
    }
    return state;
  }

  #amount(at: number): number {
    const amount = this.#slots[at];
    if (amount >= 0 && amount < Number.POSITIVE_INFINITY) return amount;
    const message = "The recording is damaged: an event has a negative value, or one beyond 2^53.";
    throw new Refusal("invalid", message, "event", this.#bytes.pos);
  }

  #add(column: number, amount: number): void {
    this.rows.add(this.#row(), column, amount);
  }

  #row(): number {
    const slots = this.#slots;
    return this.rows.rowOf(
      this.#constants.stackTraces.find(slots[slot.stackTrace]),
      slots[slot.contextId],
      slots[slot.spanId],
      slots[slot.spanName],
    );
  }

  /** Samples times the interval between them is time. */
  #addTime(samples: number, time: number, intervalNs: number): void {
    if (intervalNs === 0 || this.rows.values[samples] === undefined) return;
    for (let row = 0; row < this.rows.length; row++) {
      this.rows.add(row, time, this.rows.valueOf(row, samples) * intervalNs);
    }
  }
}

function wrongSize(size: number, at: number): Refusal {
  const message = `The recording is damaged: an event has ${size} bytes, which its chunk has no room for.`;
  return new Refusal("malformed", message, "event.size", at);
}
