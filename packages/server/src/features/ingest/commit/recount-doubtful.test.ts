import { expect, test } from "vitest";
import { hoursPerTurnMax, recountDoubtful } from "./recount-doubtful.ts";

function parts({ isFull = false, failures = 0, count = 1 } = {}) {
  let doubtful = Array.from({ length: count }, (_, index) => ({
    orgId: "o",
    service: "s",
    hourSeconds: 3600 * index,
  }));
  const state = {
    isFull,
    failures,
    warnings: 0,
    get isDoubtful() {
      return doubtful.length > 0;
    },
  };
  return {
    state,
    store: {
      doubtfulHours: () => doubtful,
      recount: async (hours: readonly object[]) => {
        if (state.failures-- > 0) throw new Error("the store is away");
        doubtful = doubtful.filter((hour) => !hours.includes(hour));
      },
    },
    committer: { runBetweenRows: <T>(operation: () => Promise<T>) => operation() },
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

test("uploads are stored between the parts of a long recount", async () => {
  const long = parts({ count: 2 * hoursPerTurnMax + 1 });
  const leftAtTurns: number[] = [];
  const between = <T>(operation: () => Promise<T>) => {
    leftAtTurns.push(long.store.doubtfulHours().length);
    return operation();
  };
  await recountDoubtful({ ...long, committer: { runBetweenRows: between } });
  expect(leftAtTurns).toEqual([2 * hoursPerTurnMax + 1, hoursPerTurnMax + 1, 1]);
  expect(long.state.isDoubtful).toBe(false);
});

test("a stopping server leaves the rest of a recount to the next start", async () => {
  const long = parts({ count: 2 * hoursPerTurnMax });
  const stopping = new AbortController();
  const between = async <T>(operation: () => Promise<T>) => {
    stopping.abort();
    return operation();
  };
  await recountDoubtful({ ...long, committer: { runBetweenRows: between }, stopped: stopping.signal });
  expect(long.store.doubtfulHours().length).toBe(hoursPerTurnMax);
});
