import type { ComparisonUnit } from "@flamekeep/contract";
import type { Normalisation } from "@flamekeep/flame/compare";
import { unprocessable } from "#failure";
import { profiledRequests, type Traffic } from "./diff-requests.ts";

/** The profiles of one side, as far as its divisors depend on them. */
export interface Measured {
  readonly profiles: number;
  readonly durationMs: number;
  readonly traffic: Traffic;
}

interface Wanted {
  readonly isGauge: boolean;
  readonly per: ComparisonUnit | undefined;
}

interface Normalisations {
  readonly normalisations: readonly [Normalisation, ...Normalisation[]];
  readonly noRequests: string | null;
}

/** The normalisations that both sides allow, the wanted one first. Throws `unprocessable` if they do not allow that one. */
export function normalisationsOf(
  before: Measured,
  after: Measured,
  { isGauge, per }: Wanted,
): Normalisations {
  const noRequests = isGauge ? gaugeReason : (missingRequests(before) ?? missingRequests(after));
  const possible = [
    noRequests === null ? perUnit("request", requestsOf, before, after) : undefined,
    isGauge ? undefined : perUnit("second", ({ durationMs }) => durationMs / 1000, before, after),
    perUnit("profile", ({ profiles }) => (isGauge ? 1 : profiles), before, after),
  ].filter((each) => each !== undefined);
  const first = per === undefined ? possible[0] : possible.find((each) => each.per === per);
  if (first === undefined) throw unprocessable(refusalOf(per, noRequests));
  return { normalisations: [first, ...possible.filter((each) => each !== first)], noRequests };
}

const gaugeReason = "the values are states at a moment, which requests do not add up to";

function missingRequests({ traffic }: Measured): string | null {
  return traffic.known ? null : traffic.reason;
}

function requestsOf({ traffic, durationMs }: Measured): number {
  return traffic.known ? profiledRequests(traffic, durationMs) : 0;
}

/** Undefined if a side with profiles has a divisor of 0. Without profiles it has no values, so any divisor will do. */
function perUnit(
  per: ComparisonUnit,
  divisorOf: (side: Measured) => number,
  ...[before, after]: [Measured, Measured]
): Normalisation | undefined {
  const [b, a] = [before, after].map((side) => (side.profiles === 0 ? 1 : divisorOf(side)));
  return b! > 0 && a! > 0 ? { per, before: b!, after: a! } : undefined;
}

function refusalOf(per: ComparisonUnit | undefined, noRequests: string | null): string {
  if (per === "request")
    return `This comparison has no values per request: ${noRequests ?? "the profiles have no duration"}`;
  return "This comparison has no values per second: they are states at a moment, or profiles without a duration.";
}
