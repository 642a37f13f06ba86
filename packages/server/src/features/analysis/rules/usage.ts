import { isGauge } from "@flamekeep/profile";
import type { Subject } from "./subject.ts";

/** By name of the sample type: what one instance uses, in a unit that means the same for profiles of any length. */
export type Usage = Record<string, Used>;

interface Used {
  readonly value: number;
  readonly unit: "cores" | "bytes" | "bytes_per_second" | "milliseconds_per_second" | "goroutines";
}

/** Without sample types for which nothing can be said, such as counts of samples. */
export function usageOf(subject: Subject): Usage {
  const usage: Usage = {};
  for (const { type } of subject.index.stacks.sampleTypes) {
    const used = usedBy(subject, type);
    if (used !== undefined) usage[type] = used;
  }
  return usage;
}

function usedBy(subject: Subject, type: string): Used | undefined {
  const { total, sampleType } = subject.view(type)!;
  const busy = subject.coresOf(total, sampleType);
  if (busy !== undefined) {
    return subject.type === "cpu" && type !== "wall"
      ? { value: busy, unit: "cores" }
      : { value: busy * 1000, unit: "milliseconds_per_second" };
  }
  if (sampleType.unit === "bytes") {
    if (isGauge(sampleType)) return { value: total, unit: "bytes" };
    const seconds = subject.durationNs / 1e9;
    return seconds > 0 ? { value: total / seconds, unit: "bytes_per_second" } : undefined;
  }
  return subject.type === "goroutine" ? { value: total, unit: "goroutines" } : undefined;
}
