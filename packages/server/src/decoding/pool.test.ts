import { constants } from "node:os";
import process from "node:process";
import { expect, it } from "vitest";
import { type Decoders, openBackgroundDecoders, openDecoders, taskFile } from "./pool.ts";
import type * as tasks from "./testing/priority-task.ts";

const priorityTask = taskFile<typeof tasks>(new URL("./testing/priority-task.ts", import.meta.url));

async function priorityOf(open: () => Decoders): Promise<number> {
  await using decoders = open();
  return await decoders.run(priorityTask, "priority", undefined);
}

it.runIf(process.platform === "linux")(
  "analyses run at a lower priority than what people wait for",
  async () => {
    const usual = await priorityOf(openDecoders);
    // The tests themselves may run at a lower one.
    const expected = Math.max(usual, constants.priority.PRIORITY_BELOW_NORMAL);
    expect(await priorityOf(openBackgroundDecoders)).toBe(expected);
  },
);
