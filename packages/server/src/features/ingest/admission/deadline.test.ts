import { expect, test } from "vitest";
import { callAfterRunning } from "./deadline.ts";

test("time in which the process was suspended does not end a deadline before the work that finished meanwhile", async () => {
  const order: string[] = [];
  const ended = new Promise<void>((resolve) => {
    callAfterRunning(
      100,
      () => {
        order.push("deadline");
        resolve();
      },
      10,
    );
  });
  // As a suspended process: nothing runs for longer than the deadline.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  setTimeout(() => order.push("work"), 1);
  await ended;
  expect(order).toEqual(["work", "deadline"]);
});

test("a cancelled deadline does not call back", async () => {
  const called: string[] = [];
  const cancel = callAfterRunning(1, () => called.push("cancelled"));
  cancel();
  await new Promise<void>((resolve) => callAfterRunning(20, resolve, 1));
  expect(called).toEqual([]);
});
