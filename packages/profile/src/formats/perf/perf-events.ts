import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import type { Nanoseconds } from "#model/units.ts";
import type { StackLines } from "#write/stack-lines.ts";
import type { EventLine } from "./event-line.ts";

interface PerfEvent {
  readonly column: number;
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

/** The events of a file in the order in which they come. Each has two columns: the samples, and the sum of their periods. */
export class PerfEvents {
  readonly #limits: ReadLimits;
  readonly #events = new Map<string | undefined, PerfEvent>();
  /** The period of all samples of clocks; 0 where they differ. */
  #clockPeriod: number | undefined;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  valuesOf({ event: name, period }: EventLine, stacks: StackLines): number[] {
    const known = this.#events.get(name);
    const event = known ?? { column: stacks.addColumn(), name, hasPeriods: false };
    if (known === undefined) {
      stacks.addColumn();
      this.#events.set(name, event);
      const { sampleTypes } = this.#limits;
      if (2 * this.#events.size > sampleTypes) {
        const message = `The output of perf script has more than ${sampleTypes / 2} different events.`;
        throw new Refusal("too_large", message, "sampleTypes", sampleTypes);
      }
    }
    if (period !== undefined && period > Number.MAX_SAFE_INTEGER) {
      throw new Refusal("invalid", `The period ${period} of a sample is beyond 2^53.`, "period", 0);
    }
    const values: number[] = [];
    values[event.column] = 1;
    values[event.column + 1] = period ?? 0;
    event.hasPeriods ||= period !== undefined;
    if (clocks.has(name)) this.#clockPeriod = [period, undefined].includes(this.#clockPeriod) ? period : 0;
    return values;
  }

  profile(stacks: StackLines, durationNs: Nanoseconds): Profile {
    const events = [...this.#events.values()];
    const clock = events.find(({ name }) => clocks.has(name));
    const types = events.flatMap((event) => typesOf(event, event === clock));
    const used = types.flatMap((type, at) => (type === undefined ? [] : at));
    const isOfCpu = events.some(({ name }) => cpuEvents.has(name));
    const profile = stacks.profile(
      types.map((type) => type ?? { type: "", unit: "" }),
      {
        durationNs,
        // A type of CPU, whichever columns there are.
        ...(isOfCpu && { defaultSampleType: "cpu" }),
        ...(clock?.hasPeriods && { periodType: cpuTime, period: BigInt(this.#clockPeriod ?? 0) }),
      },
    );
    const { samples, sampleTypes } = profile;
    return {
      ...profile,
      sampleTypes: used.map((at) => sampleTypes[at]!),
      samples: { ...samples, values: used.map((at) => samples.values[at]!) },
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
