/** int64 in pprof. */
export type Nanoseconds = bigint;

/** The length of each unit of time that profiles are stored in. */
export const nanosecondsPer: Readonly<Record<string, Nanoseconds>> = {
  nanoseconds: 1n,
  microseconds: 1000n,
  milliseconds: 1_000_000n,
  seconds: 1_000_000_000n,
};

export type Bytes = number;

/** A share of a whole, 0 .. 1. */
export type Fraction = number;

/** A share of a whole, 0 .. 100. */
export type Percent = number;
