import { expect, test } from "vitest";
import { recountDoubtful } from "./recount-doubtful.ts";

function parts({ isFull = false, failures = 0 } = {}) {
  const state = { isDoubtful: true, isFull, failures, warnings: 0 };
  return {
    state,
    store: {
      hasDoubtfulHours: () => state.isDoubtful,
      recount: async () => {
        if (state.failures-- > 0) throw new Error("the store is away");
        state.isDoubtful = false;
      },
    },
    committer: { between: <T>(operation: () => Promise<T>) => operation() },
    log: { info: () => undefined, warn: () => void state.warnings++ },
    isDiskFull: async () => state.isFull,
  };
}

test("the hours of failed inserts are recounted once the disk has room", async () => {
  const full = parts({ isFull: true });
  await recountDoubtful(full);
  expect(full.state.isDoubtful).toBe(true);
  full.state.isFull = false;
  await recountDoubtful(full);
  expect(full.state).toMatchObject({ isDoubtful: false, warnings: 0 });
});

test("a recount that fails is tried again", async () => {
  const failing = parts({ failures: 1 });
  await recountDoubtful(failing);
  expect(failing.state).toMatchObject({ isDoubtful: true, warnings: 1 });
  await recountDoubtful(failing);
  expect(failing.state.isDoubtful).toBe(false);
});
