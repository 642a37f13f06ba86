import type { Profile } from "@flamekeep/contract";
import { coresMeasure, durationMsMeasure, measureText } from "#format/measure.ts";
import { mainSample, namedSampleMeasure, type SampleTotal } from "#format/sample-value.ts";

type ReadProfile = Pick<Profile, "type" | "display_type" | "sample_types" | "statistics">;

/** One sentence: what this type of profile measures and what its total means. */
export function readingOf(profile: ReadProfile): string {
  const main = mainSample(profile.type, profile.sample_types);
  if (main === undefined) return "This profile has no values.";
  const value = measureText(namedSampleMeasure(main.total, main.type, main.unit));
  const durationMs = profile.statistics?.duration_ms ?? 0;
  const over = durationMs > 0 ? `in ${measureText(durationMsMeasure(durationMs))}` : "";
  return sentenceOf(profile.display_type, { main, value, over, durationMs });
}

interface Read {
  readonly main: SampleTotal;
  readonly value: string;
  /** `in 10 s`; empty for snapshots. */
  readonly over: string;
  readonly durationMs: number;
}

function sentenceOf(type: Profile["display_type"], { main, value, over, durationMs }: Read): string {
  switch (type) {
    case "cpu":
      return main.unit === "nanoseconds" && durationMs > 0
        ? `CPU time by the code that used it: ${value} ${over} is ${measureText(coresMeasure(main.total / 1e6 / durationMs))} on average.`
        : `CPU use by the code that caused it: ${value} ${over}`.trim().concat(".");
    case "memory":
      return main.type.startsWith("inuse")
        ? `Memory in use, by the code that allocated it: ${value} at this moment.`
        : `Memory by the code that allocated it, freed since or not: ${value} ${over || "since the process started"}.`;
    case "goroutine":
      return `Goroutines that existed at this moment, by where each one waits or runs: ${value}. How long they have waited is not recorded.`;
    case "goroutine_leak":
      return `Goroutines that are blocked for ever, because nothing can wake them any more, by where each one waits: ${value}.`;
    case "mutex":
      return `Waiting for locks, by the code that held them: ${value} is the waiting of all goroutines together ${over || "since the process started"}.`;
    case "block":
      return `Waiting for channels, locks and each other, by the code that waited: ${value} is the waiting of all goroutines together ${over || "since the process started"}, idle workers included.`;
    case "wall":
      return `Time that passed, working or waiting, by the code that ran: ${value} of all threads together ${over}`
        .trim()
        .concat(".");
    case "metrics":
      return `A batch of HTTP requests: ${value}.`;
    default:
      return `Values that the program itself counts, by the code that added them: ${value}.`;
  }
}
