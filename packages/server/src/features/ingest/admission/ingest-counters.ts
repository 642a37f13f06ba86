import type { Metrics } from "#telemetry/metrics.ts";

/** The counters of ingestion on `/metrics`. */
export class IngestCounters {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics, queueBytes: () => number) {
    this.#metrics = metrics;
    metrics.gauge("flamekeep_ingest_queue_bytes", "Bytes of uploads between arrival and commit.", queueBytes);
  }

  received(bytes: number): void {
    this.#metrics.count("flamekeep_ingest_received_bytes_total", "Bytes of upload bodies.", {}, bytes);
  }

  stored(type: string): void {
    this.#metrics.count("flamekeep_ingest_profiles_total", "Profiles stored, by type.", { type });
  }

  duplicate(): void {
    this.#metrics.count("flamekeep_ingest_duplicates_total", "Uploads that were stored before.");
  }

  empty(): void {
    this.#metrics.count("flamekeep_ingest_empty_total", "Empty profiles of SDKs without samples.");
  }

  dropped(amounts: ReadonlyMap<string, number>): void {
    const help = "Spans, data points and metrics that were accepted and dropped, by kind.";
    for (const [kind, amount] of amounts)
      this.#metrics.count("flamekeep_ingest_dropped_total", help, { kind }, amount);
  }

  refused(reason: string): void {
    this.#metrics.count("flamekeep_ingest_refused_total", "Uploads refused, by reason.", { reason });
  }

  trimmed(limit: string, amount: number): void {
    const help =
      "Parts of profiles removed by limits: ends of stacks, labels, names, tags, drop_frames patterns.";
    this.#metrics.count("flamekeep_ingest_trimmed_total", help, { limit }, amount);
  }

  batch(profiles: number, seconds: number): void {
    this.#metrics.count("flamekeep_ingest_batches_total", "Batches committed.");
    const help = "Time and size of commits, to be divided by the number of batches.";
    this.#metrics.count("flamekeep_ingest_batch_seconds_sum", help, {}, seconds);
    this.#metrics.count("flamekeep_ingest_batch_profiles_sum", help, {}, profiles);
  }

  retried(): void {
    this.#metrics.count("flamekeep_ingest_batch_retries_total", "Commits tried again after a store failure.");
  }

  gaveUp(): void {
    this.#metrics.count("flamekeep_ingest_batches_given_up_total", "Batches the store refused for good.");
  }
}
