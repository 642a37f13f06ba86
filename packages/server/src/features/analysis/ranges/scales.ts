import { isAveraged } from "#stacks/ranges/merge-range.ts";
import { type MeasuredSide, normalisationsOf } from "#stacks/traffic/normalisation.ts";
import { cpuTime, type ProfiledTime, profiledRequests, type Traffic } from "#stacks/traffic/traffic.ts";

/** One side of a comparison. */
export interface ComparedRange {
  readonly sampleType: string;
  /** Sum over the profiles. */
  readonly total: number;
  readonly profiles: number;
  /** Sum over the profiles; 0 for snapshots. */
  readonly durationNs: number;
  /** Undefined without HTTP metrics. */
  readonly traffic: Traffic | undefined;
}

/** A number for each of two ranges. */
export interface Both {
  readonly before: number;
  readonly after: number;
}

export function scaled({ before, after }: Both, by: Both): Both {
  return { before: before * by.before, after: after * by.after };
}

/** Factors that make two ranges comparable, whatever their lengths and numbers of profiles. */
interface Scales {
  /** rate: per second; mean: of gauges; profile: per profile, where profiles have no duration. */
  readonly kind: "rate" | "mean" | "profile";
  /** For totals, which are sums over the profiles. */
  readonly total: Both;
  /** For columns of stacks, which are means already if they are gauges. */
  readonly column: Both;
  /** For both, to values per request; undefined unless both ranges have requests, and for gauges. */
  readonly request: Both | undefined;
}

/** Values become values of one instance, as for alerts: each profile is of one instance. */
export function scalesOf(before: ComparedRange, after: ComparedRange): Scales {
  const isGauge = isAveraged(after.sampleType);
  const possible = normalisationsOf(toMeasuredSide(before), toMeasuredSide(after), isGauge);
  const byRequest = possible.find(({ per }) => per === "request");
  const ofInstance = possible.find(({ per }) => per !== "request")!;
  const column = factorsOf(ofInstance);
  const mean = factorsOf({ before: Math.max(1, before.profiles), after: Math.max(1, after.profiles) });
  return {
    kind: isGauge ? "mean" : ofInstance.per === "second" ? "rate" : "profile",
    total: isGauge ? mean : column,
    column,
    request: byRequest && factorsOf(byRequest),
  };
}

function toMeasuredSide(range: ComparedRange): MeasuredSide {
  const { profiles, traffic } = range;
  const time = profiledTimeOf(range);
  const requests = traffic && profiledRequests(traffic, time);
  return {
    profiles,
    durationMs: time.durationMs,
    requests: requests?.ok ? requests.requests : undefined,
  };
}

export function profiledTimeOf({
  sampleType,
  total,
  durationNs,
}: Pick<ComparedRange, "sampleType" | "total" | "durationNs">): ProfiledTime {
  return { durationMs: durationNs / 1e6, cpuNs: sampleType === cpuTime ? total : undefined };
}

function factorsOf({ before, after }: Both): Both {
  return { before: 1 / before, after: 1 / after };
}
