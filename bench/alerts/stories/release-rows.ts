import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { by, calm, cpu, four, type Row, worse } from "./row.ts";
import { wandering, weekly } from "./signals.ts";

const release = (name: string, hasVersions: boolean) =>
  worse(name, 20, { daysBefore: 9, lastsMs: dayMs }, (_, atMs, untilMs) => ({
    signals: four(calm),
    traffic: wandering(0.03),
    hasVersions,
    releases: [{ version: "2", atMs }],
    regressions: [
      by("cpu", () => 1.32, atMs, untilMs),
      by("memory", () => 1.95, atMs, untilMs),
      by("mutex", () => 3.6, atMs, untilMs),
    ],
  }));

const canary = (size: number, hasVersions: boolean): Row => ({
  ...worse(
    `canary of 2 in 20 instances, +${100 * size}%, ${hasVersions ? "with versions" : "by instance"}`,
    size >= 0.5 ? 20 : 0,
    { daysBefore: 3, lastsMs: 12 * hourMs, withinHours: 12 },
    (_, atMs, untilMs) => ({
      everyMs: 5 * minuteMs,
      instances: 20,
      hasVersions,
      traffic: wandering(0.05),
      signals: [{ ...cpu, follows: 1 }],
      releases: [{ version: "2", atMs, instances: [3, 11] }],
      regressions: [{ ...by("cpu", () => 1 + size, atMs, untilMs), instances: [3, 11] }],
    }),
  ),
  ...(size >= 0.5 ? { alsoWanted: { sizeErrorMax: 10 } } : {}),
});

/** Everything rises together, as with more traffic: without requests and versions, nothing tells the two apart for a day. */
function worsensAll(hasVersions: boolean, countsRequests: boolean): Row {
  const isKnown = hasVersions || countsRequests;
  const sends = [hasVersions ? "versions" : "no versions", countsRequests ? "requests" : "no requests"];
  return worse(
    `release: four types +50%, weekly traffic, ${sends.join(", ")}`,
    isKnown ? 18 : 0,
    { daysBefore: 9, lastsMs: 2 * dayMs, withinHours: isKnown ? 24 : 48 },
    (_, atMs, untilMs) => ({
      signals: four(calm),
      traffic: weekly,
      hasVersions,
      countsRequests,
      releases: [{ version: "2", atMs }],
      regressions: four(calm).map(({ name }) => by(name, () => 1.5, atMs, untilMs)),
    }),
  );
}

export const releaseRows: readonly Row[] = [
  release("release: CPU +32%, heap +95%, locks x3.6, versions sent", true),
  release("the same without versions", false),
  ...[0.2, 0.5, 1].map((size) => canary(size, true)),
  ...[0.2, 0.5, 1].map((size) => canary(size, false)),
  ...[true, false].flatMap((requests) => [worsensAll(true, requests), worsensAll(false, requests)]),
];
