/**
 * The counts of a histogram of durations by bucket, without empty buckets. Explicit buckets have the numbers from 0 to the number of their
 * bounds, and exponential ones the numbers of their scale: bucket `i` is `(base^i, base^(i+1)]` with `base = 2^(2^-scale)`, and the
 * bucket of zeros is -Infinity (https://opentelemetry.io/docs/specs/otel/metrics/data-model/#exponentialhistogram).
 */
export interface Distribution {
  /** Upper bounds of explicit buckets, ascending; or the scale of exponential ones. */
  readonly layout: readonly number[] | number;
  readonly counts: ReadonlyMap<number, number>;
}

/** A data point of a histogram, apart from its attributes. */
export interface SentPoint {
  /** Unix milliseconds since which the requests count; 0 if the sender does not know. */
  readonly startMs: number;
  /** Unix milliseconds until which the requests count. */
  readonly timeMs: number;
  readonly distribution: Distribution;
  /** Shortest and longest duration since the start. All durations are in the unit of the metric. */
  readonly min?: number;
  readonly max?: number;
  /** Set if the point cannot be read: the end of a sentence about it. */
  readonly fault?: string;
  /** Set if the sender left out what requests are made from. */
  readonly missing?: "value" | "buckets";
}

/** The durations of HTTP requests of one service, method, path and status, as a data point of a histogram has them. */
export interface HistogramPoint extends SentPoint {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly statusCode: number;
  /** Names the process and the histogram since it began: its series are reported together. */
  readonly stream: string;
  /** Names the point's series in its stream. */
  readonly series: string;
  readonly isCumulative: boolean;
  /** Seconds in a unit of the durations. */
  readonly unitSeconds: number;
}
