import { expect, it } from "vitest";
import { Metrics } from "./metrics.ts";
import { timedJob } from "./timed-job.ts";

it("counts the runs of a job by outcome, and passes its result and its error on", async () => {
  const metrics = new Metrics();
  expect(await timedJob(metrics, "retention", async () => 5)).toBe(5);
  await timedJob(metrics, "retention", async () => 6);
  const failing = timedJob(metrics, "retention", () => Promise.reject(new Error("away")));
  await expect(failing).rejects.toThrow("away");
  const text = metrics.toText();
  expect(text).toContain('flamekeep_job_duration_seconds_count{task="retention",outcome="completed"} 2');
  expect(text).toContain('flamekeep_job_duration_seconds_count{task="retention",outcome="failed"} 1');
});
