import { formatValue } from "@flamekeep/flame";
import type { Fraction } from "@flamekeep/profile";
import type { Selection } from "./selection.ts";
import type { Subject } from "./subject.ts";

/** `11%`, `0.6%`. */
export function percent(share: Fraction): string {
  const value = share * 100;
  return `${value >= 9.95 ? Math.round(value) : Number(value.toFixed(1))}%`;
}

/** The name without the path of its package: `search.highlight` of `shop/internal/search.highlight`. */
export function shortName(name: string): string {
  const bracket = name.indexOf("[");
  const slash = name.lastIndexOf("/", bracket < 0 ? name.length : bracket);
  return name.slice(slash + 1);
}

/** `0.04 cores`. */
function cores(value: number): string {
  return `${Number(value.toPrecision(2))} cores`;
}

const nouns: Readonly<Record<string, string>> = {
  cpu: "CPU",
  wall: "wall time",
  alloc_space: "allocated bytes",
  alloc_objects: "allocated objects",
  inuse_space: "memory in use",
  inuse_objects: "live objects",
  goroutine: "goroutines",
  delay: "waiting time",
  contentions: "contentions",
};

/**
 * The cost of stacks in the terms of their profile: `11% of CPU (0.04 cores per instance)`, `40% of allocated bytes
 * (1.2 MB per second)`, `62% of goroutines (1.2K)`.
 *
 * @param others what is not the selection's: `15% with 1 other function`
 */
export function costOf(subject: Subject, selection: Selection, others = ""): string {
  const details = [amountOf(subject, selection), others].filter((detail) => detail !== "");
  return shareOf(selection, details.join("; "));
}

/** `11% of CPU`, and a detail in brackets: `11% of CPU (15% in all)`. */
export function shareOf({ share, view: { sampleType } }: Selection, detail = ""): string {
  const text = `${percent(share)} of ${nouns[sampleType.type] ?? sampleType.type}`;
  return detail === "" ? text : `${text} (${detail})`;
}

function amountOf(subject: Subject, { weight, view }: Selection): string {
  const { type, unit } = view.sampleType;
  const seconds = subject.durationNs / 1e9;
  if (type === "cpu") {
    if (subject.cores === undefined) return "";
    const perInstance = `${cores(weight / subject.durationNs)} per instance`;
    const { requestsPerSecond } = subject.facts;
    if (!requestsPerSecond) return perInstance;
    return `${perInstance}, ${formatValue(weight / seconds / requestsPerSecond, unit)} per request`;
  }
  if (seconds > 0 && !type.startsWith("inuse")) return `${formatValue(weight / seconds, unit)} per second`;
  return formatValue(weight, unit);
}

/** Joins the names of callers for a sentence: `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const callersMax = 3;

/** The functions that cause most of a selection. */
export function callersText({ callers }: Selection): string {
  return listed(callers.slice(0, callersMax).map(({ name }) => shortName(name)));
}
