import type { Metrics } from "#telemetry/metrics.ts";

const batchBounds = [1, 10, 100, 1000];

/** The counters of ingestion on `/metrics`. */
export class IngestCounters {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics, queue: { readonly usedBytes: number; readonly oldestSeconds: number }) {
    this.#metrics = metrics;
    metrics.gauge(
      "flamekeep_ingest_queue_bytes",
      "Bytes of uploads between arrival and commit.",
      () => queue.usedBytes,
    );
    metrics.gauge(
      "flamekeep_ingest_queue_oldest_seconds",
      "Age of the oldest upload between arrival and commit.",
      () => queue.oldestSeconds,
    );
  }

  watchPostponed(read: () => number): void {
    this.#metrics.gauge(
      "flamekeep_ingest_postponed_uploads",
      "Acknowledged uploads that only the log has, because the column store is away or has just come back.",
      read,
    );
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
    this.#metrics.observe("flamekeep_ingest_batch_duration_seconds", "Time of commits.", seconds);
    const help = "Uploads of a commit.";
    this.#metrics.observe("flamekeep_ingest_batch_uploads", help, profiles, {}, batchBounds);
  }

  retried(): void {
    this.#metrics.count("flamekeep_ingest_batch_retries_total", "Commits tried again after a store failure.");
  }

  gaveUp(): void {
    this.#metrics.count("flamekeep_ingest_batches_given_up_total", "Batches the store refused for good.");
  }
}
