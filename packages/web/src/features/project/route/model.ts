import type { HttpRoute, RouteTime, RouteTimeOfPart, RouteTimePart } from "@flamekeep/contract";
import { shortFunctionName } from "@flamekeep/flame/without-graph";
import { durationMsMeasure, measureText } from "#format/measure.ts";
import { plural } from "#format/number.ts";

/** A part of the mean latency of a route. */
export interface TimeSegment {
  readonly id: RouteTimePart | "rest";
  readonly label: string;
  readonly detail: string;
  /** null where profiles do not tell it. */
  readonly seconds: number | null;
  /** The part of the bar, 0 to 1. */
  readonly width: number;
  /** Name of a colour token. */
  readonly color: string;
}

export interface TimeBar {
  readonly segments: readonly TimeSegment[];
  /** All parts together, where they are more than the mean latency: work runs in parallel. */
  readonly excessSeconds: number | undefined;
}

const looks: Record<TimeSegment["id"], Pick<TimeSegment, "label" | "detail" | "color">> = {
  cpu: { label: "CPU", detail: "running code", color: "type-cpu" },
  lock: { label: "Locks", detail: "sync.Mutex, RWMutex and similar", color: "type-mutex" },
  wait: { label: "Channels and IO", detail: "channels, other goroutines, timers", color: "type-block" },
  rest: { label: "Rest", detail: "not in profiles: network, disk, no free CPU", color: "line-strong" },
};

/** Both are estimates: parts that add up to a little more than the latency are the latency. */
const excessMin = 1.05;

/** The parts of the mean latency as one bar; undefined without requests. */
export function timeBar({
  mean_seconds: mean,
  parts,
}: Pick<RouteTime, "mean_seconds" | "parts">): TimeBar | undefined {
  if (mean === null || mean <= 0) return undefined;
  const sum = parts.reduce((total, { seconds }) => total + (seconds ?? 0), 0);
  const isExcess = sum > excessMin * mean;
  const whole = isExcess ? sum : mean;
  // A part must not be longer than the latency that it is a part of.
  const fit = !isExcess && sum > mean ? mean / sum : 1;
  const segment = (id: TimeSegment["id"], seconds: number | null): TimeSegment => ({
    id,
    ...looks[id],
    seconds,
    width: (seconds ?? 0) / whole,
  });
  return {
    segments: [
      ...parts.map(({ part, seconds }) => segment(part, seconds === null ? null : seconds * fit)),
      segment("rest", Math.max(0, whole - sum)),
    ],
    excessSeconds: isExcess ? sum : undefined,
  };
}

/** The bar in words, for people who do not see it. */
export function barText({ segments }: TimeBar): string {
  return segments
    .filter(({ seconds }) => seconds !== null)
    .map(({ label, seconds, width }) => `${label} ${secondsText(seconds)}, ${Math.round(100 * width)}%`)
    .join("; ");
}

export function secondsText(seconds: number | null): string {
  return seconds === null ? "N/A" : measureText(durationMsMeasure(1000 * seconds));
}

const names: Record<RouteTimePart, string> = { cpu: "CPU", lock: "Locks", wait: "Channels and IO" };

/** The sources of each figure, in sentences; parts of the same profiles share one. */
export function evidenceOf(parts: readonly RouteTimeOfPart[]): string[] {
  const groups = Map.groupBy(parts, (part) => JSON.stringify({ ...part, part: "", seconds: 0 }));
  return [...groups.values()].map((group) => {
    const subject = group.map(({ part }) => names[part]).join(", ");
    return `${subject}: ${evidenceText(group[0]!)}.`;
  });
}

function evidenceText({ reason, profile_type: type, ...part }: RouteTimeOfPart): string {
  if (reason !== null || type === null) return reason ?? "";
  const kind = type === "cpu" ? "CPU" : type;
  const time = secondsText(part.profiled_seconds);
  const sources = `estimated from ${plural(part.profiles, `${kind} profile`)} (${time} in total) and ${plural(part.requests ?? 0, "request")} in that time`;
  if (part.found_by === "label") return sources;
  return `${sources}; these profiles have no labels, so the estimate uses stacks through ${shortFunctionName(part.function ?? "")}, which only this route runs`;
}

/** How to see the stacks of a route in profiles of a type: by its label, or else by a function that only it runs. */
export type RouteFilter =
  | { readonly by: "label"; readonly labels: Readonly<Record<string, string>> }
  | { readonly by: "function"; readonly ref: string };

/** Undefined if no label names the route. */
export function routeFilter(
  { label, parts }: Pick<RouteTime, "label" | "parts">,
  type: GraphOfRoute,
): RouteFilter | undefined {
  if (label === null) return undefined;
  const own = parts.find(({ function: ref }) => ref !== null)?.function;
  if (type !== "cpu" && own !== null && own !== undefined) return { by: "function", ref: own };
  return { by: "label", labels: { [label.name]: label.value } };
}

export const graphsOfRoute = ["cpu", "mutex", "block"] as const;
export type GraphOfRoute = (typeof graphsOfRoute)[number];

/** A step of a flame graph that keeps the stacks with a function. */
export function focusStep(ref: string): string {
  return `focus:${ref.replace(/[\\;]/g, "\\$&")}`;
}

/** Whether an alert is about the requests of a route, or of all routes. */
export function isAboutRoute(text: string | undefined, { method, path }: HttpRoute): boolean {
  return (
    text === undefined ||
    text === path ||
    (method === "" ? text.endsWith(` ${path}`) : text === `${method} ${path}`)
  );
}
