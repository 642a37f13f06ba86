import { isGauge } from "@flamekeep/profile";
import { toValueType } from "#store/profiles/profile-row.ts";

/** One side of a comparison. */
export interface ComparedRange {
  readonly sampleType: string;
  /** Sum over the profiles. */
  readonly total: number;
  readonly profiles: number;
  /** Sum over the profiles; 0 for snapshots. */
  readonly durationNs: number;
  /** Of one instance; undefined without HTTP metrics. */
  readonly requestsPerSecond: number | undefined;
}

/** A number for each of two ranges. */
export interface Both {
  readonly before: number;
  readonly after: number;
}

/** Factors that make two ranges comparable, whatever their lengths and numbers of profiles. */
interface Scales {
  /** rate: per second; mean: of gauges; profile: per profile, where profiles have no duration. */
  readonly kind: "rate" | "mean" | "profile";
  /** For totals, which are sums over the profiles. */
  readonly total: Both;
  /** For columns of stacks, which are means already if they are gauges. */
  readonly column: Both;
}

/** Values become those of one instance, as for alerts: each profile is of one instance. */
export function scalesOf(before: ComparedRange, after: ComparedRange): Scales {
  if (isGauge(toValueType(after.sampleType))) {
    return { kind: "mean", total: perProfile(before, after), column: { before: 1, after: 1 } };
  }
  if (before.durationNs > 0 && after.durationNs > 0) {
    const perSecond = { before: 1e9 / before.durationNs, after: 1e9 / after.durationNs };
    return { kind: "rate", total: perSecond, column: perSecond };
  }
  return { kind: "profile", total: perProfile(before, after), column: perProfile(before, after) };
}

function perProfile(before: ComparedRange, after: ComparedRange): Both {
  return { before: 1 / Math.max(1, before.profiles), after: 1 / Math.max(1, after.profiles) };
}

/** Requests per second of one instance; undefined unless both ranges have requests. */
export function ratesOf(before: ComparedRange, after: ComparedRange): Both | undefined {
  const [earlier, later] = [before.requestsPerSecond ?? 0, after.requestsPerSecond ?? 0];
  return earlier > 0 && later > 0 ? { before: earlier, after: later } : undefined;
}
