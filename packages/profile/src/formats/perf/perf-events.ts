import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import type { PprofFacts } from "#write/pprof-stacks.ts";

interface PerfEvent {
  readonly place: number;
  readonly name: string | undefined;
  hasPeriods: boolean;
}

/** Their periods are nanoseconds of CPU time. */
const clocks = new Set<string | undefined>(["cpu-clock", "task-clock"]);
const cpuEvents = new Set<string | undefined>([
  ...clocks,
  "cycles",
  "cpu-cycles",
  "cpu_core/cycles/",
  "cpu_atom/cycles/",
]);

/** The events of a file in the order in which they come. Each has two values: the samples, and the sum of their periods. */
export class PerfEvents {
  readonly #limits: ReadLimits;
  readonly #events = new Map<string | undefined, PerfEvent>();
  /** The period of all samples of clocks; 0 where they differ. */
  #clockPeriod: number | undefined;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  /** The event by its place, and the period. */
  valuesOf(name: string | undefined, period: number | undefined): readonly number[] {
    const event = this.#events.get(name) ?? this.#add(name);
    if (period !== undefined && period > Number.MAX_SAFE_INTEGER) {
      throw new Refusal("invalid", `The period ${period} of a sample is beyond 2^53.`, "period", 0);
    }
    event.hasPeriods ||= period !== undefined;
    if (clocks.has(name)) this.#clockPeriod = [period, undefined].includes(this.#clockPeriod) ? period : 0;
    return [event.place, period ?? 0];
  }

  #add(name: string | undefined): PerfEvent {
    const event = { place: this.#events.size, name, hasPeriods: false };
    this.#events.set(name, event);
    const { sampleTypes } = this.#limits;
    if (2 * this.#events.size <= sampleTypes) return event;
    const message = `The output of perf script has more than ${sampleTypes / 2} different events.`;
    throw new Refusal("too_large", message, "sampleTypes", sampleTypes);
  }

  facts(): PprofFacts {
    const events = [...this.#events.values()];
    const clock = events.find(({ name }) => clocks.has(name));
    const types = events.flatMap((event) => typesOf(event, event === clock));
    const used = types.flatMap((type, at) => (type === undefined ? [] : { type, at }));
    const isOfCpu = events.some(({ name }) => cpuEvents.has(name));
    return {
      sampleTypes: used.map(({ type }) => type),
      valueIn: (row, type) => {
        const { at } = used[type];
        return at >> 1 !== row[0] ? 0 : at % 2 === 0 ? 1 : row[1];
      },
      // A type of CPU, whichever columns there are.
      ...(isOfCpu && { defaultSampleType: "cpu" }),
      ...(clock?.hasPeriods && { periodType: cpuTime, period: BigInt(this.#clockPeriod ?? 0) }),
    };
  }
}

const cpuTime: ValueType = { type: "cpu", unit: "nanoseconds" };

/** Names as perf_to_profile gives them, which is Google's converter to pprof. Undefined for a column that is not needed. */
function typesOf({ name, hasPeriods }: PerfEvent, isClock: boolean): [ValueType, ValueType | undefined] {
  if (isClock || name === undefined)
    return [{ type: "samples", unit: "count" }, hasPeriods ? cpuTime : undefined];
  const unit = clocks.has(name) ? "nanoseconds" : "count";
  return [
    { type: `${name}_sample`, unit: "count" },
    hasPeriods ? { type: `${name}_event`, unit } : undefined,
  ];
}
