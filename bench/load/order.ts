/** Instructions for a sender. Crosses to another process. */
export interface Order {
  readonly url: string;
  readonly key: string;
  readonly seconds: number;
  /** Requests under way at the same time, each on its own connection. */
  readonly connections: number;
  /** Requests arrive at this rate, whether earlier ones were answered or not. Undefined: as fast as the server answers. */
  readonly perSecond?: number;
  /** Profiles to send in turn, gzip, as base64. */
  readonly profiles: readonly string[];
  /** Of 1: how many uploads are damaged on purpose. */
  readonly damagedShare?: number;
  /** Services the uploads are spread over. */
  readonly services: number;
  /** Whether the ids of acknowledged profiles are reported as they come. */
  readonly reportIds: boolean;
}

/**
 * Outcome of a load. Latencies in milliseconds until the last byte of the answer: from the first byte sent, or with
 * `perSecond` from the moment the request was due, so that a slow server cannot delay what it is measured by.
 */
export interface LoadResult {
  readonly seconds: number;
  readonly acknowledged: number;
  readonly duplicates: number;
  readonly refusedByStatus: Readonly<Record<number, number>>;
  readonly broken: number;
  readonly bytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Of every answer, ascending, for percentiles of several loads together. */
  readonly latenciesMs: readonly number[];
  /** CPU of the sender itself: it shares the machine. */
  readonly senderCpuSeconds: number;
}

export type ToSender =
  | { readonly kind: "start"; readonly order: Order }
  /** Answer with the result before the time is over. */
  | { readonly kind: "stop" };

export type FromSender =
  | { readonly kind: "acknowledged"; readonly ids: readonly string[] }
  | { readonly kind: "result"; readonly result: LoadResult };
