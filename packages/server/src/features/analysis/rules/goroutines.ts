import type { FindingPriority } from "./finding.ts";
import type { Selection } from "./selection.ts";
import type { Subject } from "./subject.ts";

/** Goroutines from which on a rule reports, and with which priority. */
interface CountThresholds {
  readonly low: number;
  readonly medium: number;
  readonly high: number;
}

/** Growth that no change of load explains: twice as many, and this many more. */
const growthFactor = 2;
const growthMin = 20;

interface Growth {
  readonly before: number;
  readonly now: number;
  readonly isLeak: boolean;
  /** ` 60 seconds before there were 12.`; "" without an earlier profile. */
  readonly text: string;
}

/** Goroutines in the same place in the oldest earlier profile. `count` gets the subject of that time. */
export function growthOf(subject: Subject, now: number, count: (earlier: Subject) => number): Growth {
  const [first] = subject.earlier;
  if (first === undefined) return { before: now, now, isLeak: false, text: "" };
  const before = count(first);
  const isLeak = now >= before * growthFactor && now - before >= growthMin;
  const seconds = Math.round((subject.timeMs - first.timeMs) / 1000);
  const hasTimes = first.timeMs > 0 && seconds > 0;
  const when = hasTimes ? `${durationText(seconds)} before` : "In an earlier profile";
  return { before, now, isLeak, text: ` ${when} there were ${Math.round(before)}.` };
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`;
  return `${Math.round(seconds / 3600)} hours`;
}

/** Undefined below the lowest threshold. Growth without end raises the priority by one. */
export function countPriority(
  { weight }: Selection,
  { low, medium, high }: CountThresholds,
  isLeak: boolean,
): FindingPriority | undefined {
  if (weight < low) return undefined;
  if (weight >= high || (isLeak && weight >= medium)) return "high";
  return weight >= medium || isLeak ? "medium" : "low";
}
