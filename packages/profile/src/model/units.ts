/** int64 in pprof. */
export type Nanoseconds = bigint;

export type Bytes = number;
