import { constants, getPriority } from "node:os";
import process from "node:process";
import { expect, it } from "vitest";
import {
  type Decoders,
  heapExceededText,
  openBackgroundDecoders,
  openDecoders,
  openPool,
  taskFile,
} from "./pool.ts";
import type * as tasks from "./testing/pool-tasks.ts";

const poolTasks = taskFile<typeof tasks>(new URL("./testing/pool-tasks.ts", import.meta.url));

async function priorityOf(open: () => Decoders): Promise<number> {
  await using decoders = open();
  return await decoders.run(poolTasks, "priority", undefined);
}

/** Resolves when the task runs, and not only waits for the thread. */
async function startEndless(decoders: Decoders, signal?: AbortSignal): Promise<{ ended: Promise<never> }> {
  const began = new Int32Array(new SharedArrayBuffer(4));
  const ended = decoders.run(poolTasks, "endless", began, signal);
  ended.catch(() => undefined);
  await Atomics.waitAsync(began, 0, 0).value;
  return { ended };
}

it.runIf(process.platform === "linux")(
  "analyses run at the lowest priority, what people wait for at that of the server",
  async () => {
    expect(await priorityOf(openDecoders)).toBe(getPriority());
    expect(await priorityOf(openBackgroundDecoders)).toBe(constants.priority.PRIORITY_LOW);
  },
);

it("analyses run in a process with flags of V8, as npm start gives them", async () => {
  const given = process.execArgv;
  process.execArgv = [...given, "--max-semi-space-size=16"];
  try {
    expect(await priorityOf(openBackgroundDecoders)).toEqual(expect.any(Number));
  } finally {
    process.execArgv = given;
  }
});

it("ends a task that is aborted, and goes on with those that wait", async () => {
  await using decoders = openBackgroundDecoders();
  const first = new AbortController();
  const second = new AbortController();
  const { ended } = await startEndless(decoders, first.signal);
  const waiting = decoders.run(poolTasks, "priority", undefined);
  const dropped = decoders.run(poolTasks, "priority", undefined, second.signal);
  second.abort();
  first.abort();
  await expect(ended).rejects.toThrow("aborted");
  await expect(dropped).rejects.toThrow("aborted");
  expect(await waiting).toEqual(expect.any(Number));
});

it("rejects the tasks that run and wait when it is closed", async () => {
  const decoders = openBackgroundDecoders();
  const { ended } = await startEndless(decoders);
  const waiting = expect(decoders.run(poolTasks, "priority", undefined)).rejects.toThrow("closed");
  await decoders[Symbol.asyncDispose]();
  await expect(ended).rejects.toThrow("Terminating worker thread");
  await waiting;
});

it("refuses a call that needs too much memory, and goes on with those that wait", async () => {
  await using decoders = openPool({ heapBytesMax: 32 * 2 ** 20 });
  const greedy = decoders.run(poolTasks, "greedy", undefined);
  const refused = expect(greedy).rejects.toMatchObject({ code: "unprocessable", message: heapExceededText });
  const waiting = decoders.run(poolTasks, "priority", undefined);
  await refused;
  expect(await waiting).toEqual(expect.any(Number));
  expect(await decoders.run(poolTasks, "priority", undefined)).toEqual(expect.any(Number));
});
