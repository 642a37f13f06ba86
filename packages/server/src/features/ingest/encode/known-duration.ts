const yearNs = 366n * 86_400n * 1_000_000_000n;

/** A duration in nanoseconds, 0 where it cannot be one: below zero, or longer than a year, which no profiler records. */
export function knownDuration(durationNs: bigint): bigint {
  return durationNs > 0n && durationNs <= yearNs ? durationNs : 0n;
}
