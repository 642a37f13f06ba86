import { describe, expect, test, vi } from "vitest";
import { AwaitedRows } from "#store/column/awaited-rows.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { hoursPerTurnMax, Recounts, recountDoubtful } from "./recount-doubtful.ts";

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
    addHour: () => void doubtful.push({ orgId: "o", service: "s", hourSeconds: 0 }),
    get isDoubtful() {
      return doubtful.length > 0;
    },
  };
  return {
    state,
    store: {
      doubtfulHours: () => doubtful,
      recount: async (hours: readonly object[], _stopped?: AbortSignal) => {
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

test("a recount that ends because the server stops is no failure", async () => {
  const one = parts();
  const stopping = new AbortController();
  one.store.recount = async (_hours, stopped?: AbortSignal) => {
    stopping.abort();
    stopped?.throwIfAborted();
  };
  await recountDoubtful({ ...one, stopped: stopping.signal });
  expect(one.state).toMatchObject({ isDoubtful: true, warnings: 0 });
});

describe("reads of doubtful hours", () => {
  const scope = { orgId: "o", service: "s", firstHour: 0, lastHour: 3600 };

  function recounts(of: ReturnType<typeof parts> & { readonly stopped?: AbortSignal }, more = {}) {
    const health = { restarts: 0, outage: undefined as string | undefined };
    const writer = { settle: async () => undefined, isStoreFull: false };
    const waiting = async () => ({ profiles: [], isCurrent: () => true });
    const waitingDefinitions = () => ({
      stackIds: [],
      stacks: new Uint8Array(),
      frames: new Uint8Array(),
      storedFrames: new BigUint64Array(),
    });
    const committer = { ...of.committer, ...writer, waiting, waitingDefinitions, ...more };
    return { health, source: new Recounts({ ...of, committer, health: () => health, readWaitMs: 50 }) };
  }

  test("wait for a recount, which they begin", async () => {
    const one = parts();
    const { source } = recounts(one);
    await source.settle({ ...scope, firstHour: 3600 });
    await source.settle({ ...scope, service: "other" });
    await source.settle(undefined);
    expect(one.state.isDoubtful).toBe(true);
    await source.settle(scope);
    expect(one.state.isDoubtful).toBe(false);
  });

  test("are repeated if hours became doubtful, or were counted, since they began", async () => {
    const one = parts({ count: 0 });
    const { source } = recounts(one);
    const before = await source.waiting(scope);
    expect(before.isCurrent()).toBe(true);
    one.state.addHour();
    expect(before.isCurrent()).toBe(false);
    const after = await source.waiting(scope);
    expect([before.isCurrent(), after.isCurrent(), one.state.isDoubtful]).toEqual([false, true, false]);
  });

  test("that meet a recount, while roll-ups lack rows, are repeated after it", async () => {
    const one = parts({ count: 0 });
    const { source } = recounts(one);
    const rows = new AwaitedRows();
    rows.add(source);
    const other = Promise.withResolvers<void>();
    let rollUp = 10;
    const recount = one.store.recount;
    one.store.recount = async (hours) => {
      rollUp = 0;
      await other.promise;
      rollUp = 10;
      await recount(hours);
    };
    const found: number[] = [];
    const result = await rows.before({ orgId: "o", service: "s" }, async () => {
      if (found.length === 0) {
        one.state.addHour();
        void source.settle(scope);
        await vi.waitFor(() => expect(rollUp).toBe(0));
      }
      found.push(rollUp);
      other.resolve();
      return found.at(-1);
    });
    expect([found, result]).toEqual([[0, 10], 10]);
  });

  test("fail if the recount takes long", async () => {
    const runBetweenRows = () => new Promise<never>(() => undefined);
    const { source } = recounts(parts(), { runBetweenRows });
    await expect(source.settle(scope)).rejects.toThrow(StoreUnavailable);
  });

  test("fail once the server stops, because nobody counts the hours", async () => {
    const stopping = new AbortController();
    const one = parts();
    const { source } = recounts({ ...one, stopped: stopping.signal });
    stopping.abort();
    await expect(source.settle(scope)).rejects.toThrow("The server is stopping.");
    await expect(source.waiting(scope)).rejects.toThrow("The server is stopping.");
    await source.settle({ ...scope, service: "other" });
  });

  test("do not wait for a store that is away or full, nor again after a recount failed until the engine was started again", async () => {
    const runBetweenRows = () => new Promise<never>(() => undefined);
    await recounts(parts(), { runBetweenRows, isStoreFull: true }).source.settle(scope);
    const away = recounts(parts(), { runBetweenRows });
    away.health.outage = "is restarting";
    await away.source.settle(scope);
    const failing = parts({ failures: 1 });
    const { source, health } = recounts(failing);
    await source.settle(scope);
    await source.settle(scope);
    expect(failing.state).toMatchObject({ isDoubtful: true, warnings: 1 });
    health.restarts++;
    await source.settle(scope);
    expect(failing.state.isDoubtful).toBe(false);
  });
});
