import { expect, it } from "vitest";
import { JobLog, repeat } from "./job-log.ts";
import { StoreUnavailable } from "./unavailable.ts";

function logged(use: (job: JobLog) => void, options = {}): unknown[] {
  const lines: unknown[] = [];
  const log = { warn: (fields: object, message: string) => void lines.push([message, fields]) };
  use(new JobLog(log, "the roll-up", options));
  return lines;
}

it("logs one warning when a store becomes unavailable and one when it is back, without stacks", () => {
  const away = new StoreUnavailable("The column store is restarting.");
  const lines = logged((job) => {
    job.succeeded();
    for (let round = 0; round < 5; round++) job.failed(away, { orgId: "o" });
    job.succeeded();
    job.succeeded();
    job.failed(away);
  });
  expect(lines).toEqual([
    [
      "the roll-up waits until the store is available",
      { reason: "The column store is restarting.", orgId: "o" },
    ],
    ["the roll-up runs again", {}],
    ["the roll-up waits until the store is available", { reason: "The column store is restarting." }],
  ]);
});

it("logs every other error, with its stack", () => {
  const error = new Error("broken");
  const lines = logged((job) => {
    job.failed(error);
    job.failed(error);
  });
  const line = ["the roll-up failed and will run again", { err: error }];
  expect(lines).toEqual([line, line]);
});

it("logs only the first of several failures in a row, if the job says so", () => {
  const error = new Error("broken");
  const lines = logged(
    (job) => {
      job.failed(error);
      job.failed(error);
      job.succeeded();
      job.failed(error);
    },
    { isFailureRepeated: false },
  );
  const line = ["the roll-up failed and will run again", { err: error }];
  expect(lines).toEqual([line, line]);
});

it("a repeated job runs again after a failure, and logs none that its stop causes", async () => {
  const stopping = new AbortController();
  const messages: string[] = [];
  const jobLog = new JobLog({ warn: (_, message) => void messages.push(message) }, "the roll-up");
  let runs = 0;
  await repeat(jobLog, { everyMs: 0 }, stopping.signal, async () => {
    runs++;
    if (runs === 3) stopping.abort();
    throw new Error("broken");
  });
  expect(runs).toBe(3);
  expect(messages).toEqual(Array(2).fill("the roll-up failed and will run again"));
  await repeat(jobLog, { everyMs: 0 }, stopping.signal, async () => void runs++);
  expect(runs).toBe(3);
});
