/** int64 in pprof. */
export type Nanoseconds = bigint;

export type Bytes = number;

/** A share of a whole, 0 .. 1. */
export type Fraction = number;

/** A share of a whole, 0 .. 100. */
export type Percent = number;
