import type { Normalisation } from "@flamekeep/flame/compare";

/** The profiles of one side of a comparison, as far as its divisors depend on them. */
export interface MeasuredSide {
  readonly profiles: number;
  /** Sum over the profiles; 0 for snapshots. */
  readonly durationMs: number;
  /** HTTP requests that were answered while the profiler ran; undefined if they are not counted. */
  readonly requests: number | undefined;
}

/**
 * The divisors that make the values of two sides comparable, as far as both sides have them: requests, seconds of one instance, and
 * profiles, which there always are. Gauges are states at a moment: each side is the mean of its profiles, and not divided again.
 */
export function normalisationsOf(
  before: MeasuredSide,
  after: MeasuredSide,
  isGauge: boolean,
): readonly Normalisation[] {
  if (isGauge) return [{ per: "profile", before: 1, after: 1 }];
  return [
    perUnit("request", ({ requests }) => requests, before, after),
    perUnit("second", ({ durationMs }) => durationMs / 1000, before, after),
    perUnit("profile", ({ profiles }) => profiles, before, after),
  ].filter((each) => each !== undefined);
}

/** Undefined if a side with profiles has a divisor of 0. Without profiles it has no values, so any divisor will do. */
function perUnit(
  per: Normalisation["per"],
  divisorOf: (side: MeasuredSide) => number | undefined,
  ...sides: [MeasuredSide, MeasuredSide]
): Normalisation | undefined {
  const [before = 0, after = 0] = sides.map((side) => {
    const divisor = divisorOf(side);
    return side.profiles === 0 && divisor !== undefined ? 1 : divisor;
  });
  return before > 0 && after > 0 ? { per, before, after } : undefined;
}
