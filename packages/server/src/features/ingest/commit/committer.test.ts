import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { encodedItem, separateCommitter } from "#ingest/testing/commit-items.ts";
import type { Picture } from "#ingest/testing/pprof-of.ts";
import { storedCounts } from "#ingest/testing/stored.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import { StoreFull, StoreUnavailable } from "#store/unavailable.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { freeContent } from "./batch.ts";
import type { Committer } from "./committer.ts";
import { PendingItem } from "./pending-item.ts";
import { RowQueue } from "./row-queue.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const committer = (parts: Parameters<typeof separateCommitter>[1] = {}) =>
  separateCommitter(server.ctx, parts);

/** The column store with other parts, and how often hours of it were counted again or marked for that. */
function storeWith(parts: Partial<ColumnStore>) {
  const { columns } = server.ctx;
  const recount = vi.fn(columns.maintenance.recount);
  const markDoubtful = vi.fn(columns.maintenance.markDoubtful);
  const maintenance = { ...columns.maintenance, recount, markDoubtful };
  return { recount, markDoubtful, store: { ...columns, maintenance, ...parts } };
}

const cpu: Picture = {
  sampleTypes: ["samples/count", "cpu/nanoseconds"],
  samples: [["main", 1, 10]],
  durationNs: 1n,
};

/** Commits the same profile each time it is called. */
function sameProfile(
  orgId: string,
  startedAtMs = server.ctx.now().getTime(),
): (to: Committer) => Promise<string> {
  const nowMs = server.ctx.now().getTime();
  return (to) => to.commit(encodedItem(cpu, { orgId, nowMs, startedAtMs }).item);
}

test("a batch whose token the engine knows but whose rows it lost is stored when it is sent again", async () => {
  const { columns: store } = server.ctx;
  const { orgId } = await server.signUp();
  const commit = sameProfile(orgId);
  expect(await commit(committer())).toBe("stored");
  expect(await commit(committer())).toBe("duplicate");
  // Removes the rows but not their tokens, as a kill between the two does.
  await store.maintenance.removeService({ orgId, service: "s" });
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 0 });
  expect(await commit(committer())).toBe("stored");
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 1, payloads: 1, rolledUp: 1 });
  expect(await commit(committer())).toBe("duplicate");
});

test("a profile that an earlier process left is a duplicate at once, while its rows are still made", async () => {
  const { orgId } = await server.signUp();
  const nowMs = server.ctx.now().getTime();
  const again = () => encodedItem(cpu, { orgId, nowMs, startedAtMs: nowMs }).item;
  const recovering = committer({ acknowledge: "log" });
  recovering.repeat(again());
  expect(await recovering.commit(again())).toBe("duplicate");
  await recovering.settle(undefined);
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 1, rolledUp: 1 });
});

test.each([
  ["because the engine restarted has its hours marked for a recount", 1],
  ["because the store was busy has not", 0],
])("a batch that was written twice %s", async (_, restarts) => {
  const { orgId } = await server.signUp();
  const { columns } = server.ctx;
  let ends = 0;
  let insertions = 0;
  const { store, recount, markDoubtful } = storeWith({
    health: () => ({ ...columns.health(), restarts: ends }),
    async insert(batch) {
      await columns.insert(batch);
      if (batch.table !== "profiles" || insertions++ > 0) return;
      ends += restarts;
      throw new StoreUnavailable("nobody knows whether it is there");
    },
  });
  expect(await sameProfile(orgId)(committer({ store }))).toBe("stored");
  expect([insertions, recount.mock.calls.length, markDoubtful.mock.calls.length]).toEqual([2, 0, restarts]);
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 1, payloads: 1, rolledUp: 1 });
});

test("a batch that was refused when some of it was stored is not stored twice by its halves", async () => {
  const { orgId } = await server.signUp();
  const { columns } = server.ctx;
  const nowMs = server.ctx.now().getTime();
  let insertions = 0;
  const { store, recount, markDoubtful } = storeWith({
    async insert(batch) {
      await columns.insert(batch);
      if (batch.table === "profiles" && insertions++ === 0) throw new Error("refused by a view");
    },
  });
  const to = committer({ store });
  const commits = [0, 1000, 2000].map((age) => sameProfile(orgId, nowMs - age)(to));
  expect(await Promise.all(commits)).toEqual(["stored", "stored", "stored"]);
  expect([insertions, recount.mock.calls.length, markDoubtful.mock.calls.length]).toEqual([1, 0, 1]);
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 3, payloads: 3, rolledUp: 3 });
});

test("the stored half of a refused batch is not stored again when the disk is full for the other half", async () => {
  const { orgId } = await server.signUp();
  const { columns } = server.ctx;
  const nowMs = server.ctx.now().getTime();
  const outcomes = [new Error("the batch is too large"), undefined, new StoreFull("Code: 243.")];
  const { store } = storeWith({
    async insert(batch) {
      const failure = batch.table === "profiles" ? outcomes.shift() : undefined;
      if (failure !== undefined) throw failure;
      await columns.insert(batch);
    },
  });
  const to = committer({ store });
  const commits = [0, 1000].map((age) => sameProfile(orgId, nowMs - age)(to));
  expect(await Promise.all(commits)).toEqual(["stored", "stored"]);
  expect(outcomes).toEqual([]);
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 2, payloads: 2, rolledUp: 2 });
});

test("rows that were freed because they are made again do not count as waiting", async () => {
  const { orgId } = await server.signUp();
  const queue = new RowQueue();
  const { item } = encodedItem(cpu, { orgId, nowMs: server.ctx.now().getTime() });
  queue.push(new PendingItem(item), false);
  expect(queue.bytes).toBeGreaterThan(0);
  queue.take();
  freeContent(item);
  queue.finish();
  expect(queue.bytes).toBe(0);
});

test("the halves of a batch that a restarted engine refused have their hours marked for a recount", async () => {
  const { orgId } = await server.signUp();
  const { columns } = server.ctx;
  const nowMs = server.ctx.now().getTime();
  const failures = [new StoreUnavailable("the engine ended"), new Error("the batch is too large")];
  let ends = 0;
  const { store, markDoubtful } = storeWith({
    health: () => ({ ...columns.health(), restarts: ends }),
    async insert(batch) {
      const failure = batch.table === "profiles" ? failures.shift() : undefined;
      if (failure === undefined) return columns.insert(batch);
      ends = 1;
      throw failure;
    },
  });
  const to = committer({ store });
  const commits = [0, 1000].map((age) => sameProfile(orgId, nowMs - age)(to));
  expect(await Promise.all(commits)).toEqual(["stored", "stored"]);
  expect(markDoubtful.mock.calls.filter(([hours]) => hours.length > 0)).toHaveLength(2);
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 2, payloads: 2, rolledUp: 2 });
});

test("rows that a full disk refuses are stored once there is room", async () => {
  const { orgId } = await server.signUp();
  const { columns } = server.ctx;
  let isFull = true;
  const refused = Promise.withResolvers<void>();
  const { store } = storeWith({
    async insert(batch) {
      if (!isFull) return columns.insert(batch);
      refused.resolve();
      throw new StoreFull("Code: 243. NOT_ENOUGH_SPACE");
    },
  });
  const to = committer({ store, acknowledge: "log" });
  const commit = sameProfile(orgId);
  expect(await commit(to)).toBe("stored");
  // A read does not wait for a disk that is full.
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 0 });
  await refused.promise;
  expect(await commit(to)).toBe("duplicate");
  isFull = false;
  await expect
    .poll(() => storedCounts(server.ctx, orgId), { timeout: 10_000 })
    .toMatchObject({ profiles: 1, payloads: 1, rolledUp: 1 });
});

test("rows wait for company until a read needs them", async () => {
  const { orgId } = await server.signUp();
  const other = await server.signUp();
  const nowMs = server.ctx.now().getTime();
  const insert = vi.fn(server.ctx.columns.insert);
  const { store } = storeWith({ insert });
  const to = committer({ store, acknowledge: "log" });
  const commits = Array.from({ length: 20 }, (_, age) => sameProfile(orgId, nowMs - 1000 * age)(to));
  expect(new Set(await Promise.all(commits))).toEqual(new Set(["stored"]));
  expect(await storedCounts(server.ctx, other.orgId)).toMatchObject({ profiles: 0 });
  expect(insert).not.toHaveBeenCalled();
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 20, payloads: 20, rolledUp: 20 });
  expect(insert.mock.calls.filter(([{ table }]) => table === "profiles")).toHaveLength(1);
  // A hundred wait for a second.
  const more = Array.from({ length: 100 }, (_, age) => sameProfile(orgId, nowMs - 1000 * (age + 20))(to));
  await Promise.all(more);
  const inserts = () => insert.mock.calls.filter(([{ table }]) => table === "profiles").length;
  await expect.poll(inserts, { timeout: 8000 }).toBe(2);
});

test("a read fails while the store refuses rows, and sees them later", async () => {
  const { orgId } = await server.signUp();
  const { columns } = server.ctx;
  let isAway = true;
  const { store } = storeWith({
    isReady: async () => !isAway,
    insert: (batch) => (isAway ? Promise.reject(new StoreUnavailable("away")) : columns.insert(batch)),
  });
  const to = committer({ store, acknowledge: "log" });
  expect(await sameProfile(orgId)(to)).toBe("stored");
  await expect(storedCounts(server.ctx, orgId)).rejects.toThrow(StoreUnavailable);
  isAway = false;
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 1, payloads: 1, rolledUp: 1 });
});

test("the same profile twice in one batch is stored once", async () => {
  const { orgId } = await server.signUp();
  const commit = sameProfile(orgId);
  const to = committer();
  expect(await Promise.all([commit(to), commit(to), commit(to)])).toEqual([
    "stored",
    "duplicate",
    "duplicate",
  ]);
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 1, payloads: 1, rolledUp: 1 });
});

test("after stop, the senders of all stored profiles have their answer", async () => {
  const { orgId } = await server.signUp();
  const nowMs = server.ctx.now().getTime();
  const to = committer();
  const outcomes: string[] = [];
  for (let age = 0; age < 10; age++) {
    void sameProfile(orgId, nowMs - 1000 * age)(to).then((outcome) => outcomes.push(outcome));
  }
  await to.stop(1000);
  expect(outcomes).toEqual(new Array(10).fill("stored"));
});

test("a batch that waits for the store during stop is stored when it is sent again", async () => {
  const { orgId } = await server.signUp();
  const commit = sameProfile(orgId);
  const asked = Promise.withResolvers<void>();
  const stopping = committer({
    dedupNamespace() {
      asked.resolve();
      return Promise.reject(new StoreUnavailable("The row store is away."));
    },
  });
  const rejection = expect(commit(stopping)).rejects.toThrow(StoreUnavailable);
  await asked.promise;
  await stopping.stop(20);
  await rejection;
  await expect(commit(stopping)).rejects.toThrow("The server is stopping");
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 0 });
  expect(await commit(committer())).toBe("stored");
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 1, payloads: 1, rolledUp: 1 });
});

test("while the row store is away, uploads from the log of another server are refused, and others of the batch are stored", async () => {
  const { orgId } = await server.signUp();
  const nowMs = server.ctx.now().getTime();
  const isRemovedSince = () => Promise.reject(new StoreUnavailable("The row store is away."));
  const to = committer({ isRemovedSince });
  const itemAt = (age: number) => encodedItem(cpu, { orgId, nowMs: nowMs - 1000 * age }).item;
  const repeated = to.commit({ ...itemAt(1), isRepeat: true });
  const stored = to.commit(itemAt(2));
  await expect(repeated).rejects.toThrow("The row store is away.");
  expect([await stored, to.isStoreAway]).toEqual(["stored", false]);
});

test("rows that wait for the row store are logged as such", async () => {
  const { orgId } = await server.signUp();
  let asked = 0;
  const dedupNamespace = async () => {
    if (++asked < 3) throw new StoreUnavailable("The row store is away.");
    return "0";
  };
  const before = server.logged.length;
  expect(await sameProfile(orgId)(committer({ dedupNamespace }))).toBe("stored");
  const lines = server.logged.slice(before).filter((line) => line.includes("rows wait"));
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["the row store is away: rows wait"]);
});

/** Notes whether it is answered. */
function watch(committed: Promise<string>): { readonly outcome: () => string | undefined } {
  let outcome: string | undefined;
  committed.then(
    (text) => {
      outcome = text;
    },
    (error: Error) => {
      outcome = error.message;
    },
  );
  return { outcome: () => outcome };
}

test("an upload that another server may compare with is answered once its rows are stored", async () => {
  const { orgId } = await server.signUp();
  const nowMs = server.ctx.now().getTime();
  const itemAt = (age: number) => encodedItem(cpu, { orgId, nowMs: nowMs - 1000 * age }).item;
  const to = committer({ acknowledge: "log" });
  const held = watch(to.commit({ ...itemAt(1), isHeld: true }));
  expect(await to.commit(itemAt(2))).toBe("stored");
  expect(held.outcome()).toBe(undefined);
  await to.settle(undefined);
  await expect.poll(held.outcome).toBe("stored");
});

test("while the store is away such an upload is answered, unless another server owns its service by now", async () => {
  const { orgId } = await server.signUp();
  const nowMs = server.ctx.now().getTime();
  const itemAt = (age: number) => encodedItem(cpu, { orgId, nowMs: nowMs - 1000 * age }).item;
  const { store } = storeWith({ insert: () => Promise.reject(new StoreUnavailable("The store is away.")) });
  const parts = {
    store,
    acknowledge: "log",
    isAwaited: false,
    isCurrent: (term: number) => term === 2,
  } as const;
  const to = committer(parts);
  const ended = watch(to.commit({ ...itemAt(1), isHeld: true, term: 1 }));
  const held = watch(to.commit({ ...itemAt(2), isHeld: true, term: 2 }));
  // It is answered once the log has those before it.
  await to.commit(itemAt(3));
  await expect(to.settle(undefined)).rejects.toThrow("The store is away.");
  await expect.poll(held.outcome).toBe("stored");
  expect(ended.outcome()).toBe(undefined);
  await to.stop(0);
  await expect.poll(ended.outcome).toContain("stop");
});

test("HTTP metrics whose tokens a killed server left behind are stored when they are sent again", async () => {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const item = { duration: 0.1, status_code: 200, method: "GET", path: "/", request_id: "r" };
  const timestamp = server.ctx.now().toISOString();
  const url = "/api/v1/ingest/http-metrics?service=m";
  const send = async () => {
    const app = await server.createApp();
    const reply = await app.inject({ method: "POST", url, headers, payload: [{ ...item, timestamp }] });
    await app.close();
    expect(reply.statusCode).toBe(200);
  };
  await send();
  await server.ctx.columns.maintenance.removeService({ orgId: person.orgId, service: "m" });
  await send();
  expect(await storedCounts(server.ctx, person.orgId)).toMatchObject({ profiles: 1, requests: 1 });
});

test("a batch whose term ends while it is inserted stores no profile", async () => {
  const { orgId } = await server.signUp();
  const nowMs = server.ctx.now().getTime();
  const { columns } = server.ctx;
  let term = 1;
  const inserted: string[] = [];
  const insert: ColumnStore["insert"] = async (batch) => {
    await columns.insert(batch);
    inserted.push(batch.table);
    term = 2;
  };
  const ending = committer({
    store: { ...columns, insert },
    acknowledge: "log",
    isCurrent: (of) => of === term,
    isAwaited: false,
  });
  const { item } = encodedItem(cpu, { orgId, nowMs });
  expect(await ending.commit({ ...item, term })).toBe("stored");
  await ending.written(undefined);
  expect(ending.postponed.size).toBe(1);
  expect(inserted.toSorted()).toEqual(["frames", "stacks"]);
  ending.postponed.end();
});

test("is occupied while an operation between batches runs or waits, and while the store does not answer an insert", async () => {
  const { orgId } = await server.signUp();
  const [ended, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { store } = storeWith({
    async insert(batch) {
      await answered.promise;
      return server.ctx.columns.insert(batch);
    },
  });
  const target = committer({ store, acknowledge: "log" });
  expect(target.isOccupied).toBe(false);
  const running = target.runBetweenBatches(() => ended.promise);
  expect(target.isOccupied).toBe(true);
  ended.resolve();
  await running;
  expect(target.isOccupied).toBe(false);
  await sameProfile(orgId)(target);
  const stored = target.settle(undefined);
  await expect.poll(() => target.isOccupied, { timeout: 20_000 }).toBe(true);
  answered.resolve();
  await stored;
  expect(target.isOccupied).toBe(false);
}, 30_000);
