import type { ComparisonUnit } from "@flamekeep/contract";
import type { Normalisation } from "@flamekeep/flame/compare";
import { type MeasuredSide, normalisationsOf } from "#decoding/traffic/normalisation.ts";
import { type ProfiledRequests, profiledRequests } from "#decoding/traffic/traffic.ts";
import { unprocessable } from "#failure";
import type { SideTraffic } from "./requests.ts";

interface Measured extends Omit<MeasuredSide, "requests"> {
  readonly requests: SideTraffic;
  /** CPU time of the side; undefined of other profile types. */
  readonly cpuNs: number | undefined;
}

interface Requested {
  readonly isGauge: boolean;
  readonly per: ComparisonUnit | undefined;
}

interface Normalisations {
  readonly normalisations: readonly [Normalisation, ...Normalisation[]];
  readonly noRequests: string | null;
}

/** The normalisations that both sides allow, the requested one first. Throws `unprocessable` if they do not allow that one. */
export function orderedNormalisations(
  before: Measured,
  after: Measured,
  { isGauge, per }: Requested,
): Normalisations {
  const noRequests = isGauge ? gaugeReason : (missingRequests(before) ?? missingRequests(after));
  const possible = normalisationsOf(withRequests(before), withRequests(after), isGauge);
  const first = per === undefined ? possible[0] : possible.find((each) => each.per === per);
  if (first === undefined) throw unprocessable(refusalOf(per, noRequests));
  return { normalisations: [first, ...possible.filter((each) => each !== first)], noRequests };
}

const gaugeReason = "the values are gauges, which cannot be divided by requests";

function missingRequests(side: Measured): string | null {
  const requests = requestsOf(side);
  return requests.ok ? null : requests.reason;
}

function withRequests(side: Measured): MeasuredSide {
  const requests = requestsOf(side);
  return { ...side, requests: requests.ok ? requests.requests : undefined };
}

function requestsOf({ requests, ...side }: Measured): ProfiledRequests {
  return requests.ok ? profiledRequests(requests.traffic, side) : requests;
}

function refusalOf(per: ComparisonUnit | undefined, noRequests: string | null): string {
  if (per === "request")
    return `This comparison has no values per request: ${noRequests ?? "the profiles have no duration"}`;
  return "This comparison cannot be shown per second: its values are gauges, or its profiles have no duration";
}
