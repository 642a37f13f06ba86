import type { Metrics } from "./metrics.ts";

/** Seconds that a job takes: most find nothing to do, a removal of days can take many minutes. */
const bounds = [0.1, 1, 10, 60, 600, 3600];

/** Runs a background job once. Its time is on /metrics by its name and outcome. The label is not called `job`, as Prometheus calls the server so. */
export async function timedJob<T>(metrics: Metrics, task: string, run: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  let outcome = "failed";
  try {
    const result = await run();
    outcome = "completed";
    return result;
  } finally {
    const seconds = (performance.now() - startedMs) / 1000;
    const help = "Time of the runs of background jobs.";
    metrics.observe("flamekeep_job_duration_seconds", help, seconds, { task, outcome }, bounds);
  }
}
