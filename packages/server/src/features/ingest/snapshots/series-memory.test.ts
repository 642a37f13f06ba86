import { afterAll, beforeAll, expect, test } from "vitest";
import { encodedItem, separateCommitter } from "#ingest/testing/commit-items.ts";
import type { Picture } from "#ingest/testing/pprof-of.ts";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { WorkerPool } from "#ingest/threads/worker-pool.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { findLatestIn } from "./find-latest.ts";
import { PendingSnapshot } from "./pending-snapshot.ts";
import { SeriesMemory } from "./series-memory.ts";

let server: TestApp;
let pool: WorkerPool;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  pool = new WorkerPool(server.ctx.encodingThreads);
});
afterAll(async () => {
  await server.close();
});

const minute = 60_000;
const mutex = (contentions: number): Picture => ({
  sampleTypes: ["contentions/count", "delay/nanoseconds"],
  samples: [["main;lock", contentions, 100 * contentions]],
});
const cpu: Picture = {
  sampleTypes: ["samples/count", "cpu/nanoseconds"],
  samples: [["main", 1, 10]],
  durationNs: 1n,
};

/** A committer and the memory of series on the real stores. `insert` may refuse what it is given. */
async function ingestion(insert: ColumnStore["insert"] = server.ctx.columns.insert) {
  const { columns } = server.ctx;
  const { orgId } = await server.signUp();
  const committer = separateCommitter(server.ctx, { store: { ...columns, insert } });
  const find = findLatestIn(server.ctx, pool);
  const memory = new SeriesMemory(find);
  const nowMs = server.ctx.now().getTime();

  /** As the worker gives it. */
  function encode(minutes: number, type: "cpu" | "mutex", picture: Picture) {
    const startedAtMs = nowMs - 60 * minute + minutes * minute;
    const encoded = encodedItem(picture, { orgId, nowMs, startedAtMs, type });
    const item = { ...encoded.item, definitionsGeneration: committer.generationOf(orgId) };
    return { item, cumulative: encoded.cumulative, startedAtMs };
  }

  /** Compares the snapshot; what it resolves with commits it. */
  async function compare({ item, cumulative, startedAtMs }: ReturnType<typeof encode>) {
    const snapshot = new PendingSnapshot();
    const outcome = await memory.rowOf(cumulative!, startedAtMs, snapshot);
    if (!outcome.ok) throw new Error(outcome.refusal.message);
    const rows = { ...item.rows, profiles: outcome.value.row };
    return () => committer.commit({ ...item, rows, snapshot });
  }
  const send = async (minutes: number, contentions: number) =>
    (await compare(encode(minutes, "mutex", mutex(contentions))))();
  const sendCpu = () => committer.commit(encode(0, "cpu", cpu).item);
  const added = async () => {
    const rows = await storedProfiles(columns, orgId);
    return rows.filter(({ type }) => type === "mutex").map(({ deltas_totals }) => Number(deltas_totals[0]));
  };
  return { memory, encode, compare, send, sendCpu, added };
}

test("a snapshot that comes out of the worker after a loss of definitions is no base for the next one", async () => {
  const { columns } = server.ctx;
  let isRefusing = false;
  const { encode, compare, send, sendCpu, added } = await ingestion((batch) =>
    isRefusing ? Promise.reject(new Error("Refused for good.")) : columns.insert(batch),
  );
  await send(0, 10);
  const early = encode(1, "mutex", mutex(30));
  isRefusing = true;
  await expect(sendCpu()).rejects.toThrow("Refused for good.");
  isRefusing = false;
  const commitEarly = await compare(early);
  await expect(commitEarly()).rejects.toThrow("A batch this upload builds on could not be stored.");
  expect(await send(2, 31)).toBe("stored");
  expect(await added()).toEqual([0, 21]);
});

test("a snapshot that was compared with one that the store refuses is rejected, others of the batch are stored", async () => {
  const { columns } = server.ctx;
  let refusedId = "";
  const { encode, compare, send, sendCpu, added } = await ingestion((batch) =>
    refusedId !== "" && batch.table === "profiles" && batch.rows.includes(refusedId)
      ? Promise.reject(new Error("Refused for good."))
      : columns.insert(batch),
  );
  await send(0, 10);
  const second = encode(1, "mutex", mutex(30));
  refusedId = second.item.profileId;
  const commits = [await compare(second), await compare(encode(2, "mutex", mutex(31))), sendCpu];
  const ends = await Promise.allSettled(commits.map((commit) => commit()));
  expect(ends.map((end) => (end.status === "fulfilled" ? end.value : end.reason.message))).toEqual([
    "Refused for good.",
    "The snapshot that this one was compared with could not be stored.",
    "stored",
  ]);
  refusedId = "";
  expect([await send(1, 30), await send(2, 31)]).toEqual(["stored", "stored"]);
  expect(await added()).toEqual([0, 20, 1]);
});

test("a snapshot counts from a pending one when the memory is cleared", async () => {
  const { memory, encode, compare, send, added } = await ingestion();
  await send(0, 10);
  const commitSecond = await compare(encode(1, "mutex", mutex(30)));
  memory.clear();
  const third = send(2, 31);
  expect(await commitSecond()).toBe("stored");
  expect(await third).toBe("stored");
  expect(await added()).toEqual([0, 20, 1]);
});
