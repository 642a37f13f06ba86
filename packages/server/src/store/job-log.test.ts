import { expect, it } from "vitest";
import { JobLog } from "./job-log.ts";
import { StoreUnavailable } from "./unavailable.ts";

function logged(use: (job: JobLog) => void): unknown[] {
  const lines: unknown[] = [];
  use(new JobLog({ warn: (fields, message) => void lines.push([message, fields]) }, "the roll-up"));
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
