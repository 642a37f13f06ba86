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
  const query: ColumnStore["query"] = async (definition, params) => {
    await committer.written(undefined);
    return columns.direct.query(definition, params);
  };
  const find = findLatestIn({ ...server.ctx, columns: { ...columns, query } }, pool);
  const memory = new SeriesMemory(find);
  const nowMs = server.ctx.now().getTime();

  /** As the worker gives it. */
  function encode(minutes: number, type: "cpu" | "mutex", picture: Picture) {
    const startedAtMs = nowMs - 60 * minute + minutes * minute;
    const encoded = encodedItem(picture, { orgId, nowMs, startedAtMs, type });
    const item = { ...encoded.item, definitionsGeneration: committer.generationOf(orgId) };
    return { item, cumulative: encoded.cumulative, startedAtMs };
  }

  async function compared({ item, cumulative, startedAtMs }: ReturnType<typeof encode>) {
    const snapshot = new PendingSnapshot();
    const outcome = await memory.rowOf(cumulative!, startedAtMs, snapshot);
    if (!outcome.ok) throw new Error(outcome.refusal.message);
    return { ...item, rows: { ...item.rows, profiles: outcome.value.row }, snapshot };
  }

  /** Compares the snapshot; what it resolves with commits it. */
  async function compare(encoded: ReturnType<typeof encode>) {
    const item = await compared(encoded);
    return () => committer.commit(item);
  }
  const send = async (minutes: number, contentions: number) =>
    (await compare(encode(minutes, "mutex", mutex(contentions))))();
  const sendCpu = () => committer.commit(encode(0, "cpu", cpu).item);
  const added = async () => {
    const rows = await storedProfiles(columns, orgId);
    return rows.filter(({ type }) => type === "mutex").map(({ deltas_totals }) => Number(deltas_totals[0]));
  };
  return { committer, memory, encode, compare, compared, send, sendCpu, added };
}

test("a snapshot whose definitions were lost, or whose base the store refuses, is left to be encoded again", async () => {
  const { columns } = server.ctx;
  let refusedId = "";
  const { committer, encode, compare, compared, send, sendCpu, added } = await ingestion((batch) =>
    refusedId !== "" && batch.table === "profiles" && batch.rows.includes(refusedId)
      ? Promise.reject(new Error("Refused for good."))
      : columns.insert(batch),
  );
  await send(0, 10);
  const second = encode(1, "mutex", mutex(30));
  const third = encode(2, "mutex", mutex(31));
  refusedId = second.item.profileId;
  const commits = [await compare(second), await compare(third), sendCpu].map((commit) => commit());
  await expect(commits[0]).rejects.toThrow("Refused for good.");
  expect(await commits[2]).toBe("stored");
  expect(committer.postponed.size).toBe(1);
  const stopped = new AbortController();
  const taking = committer.postponed.take(10, stopped.signal);
  const [upload] = (await taking.next()).value!;
  expect(upload).toMatchObject({ profileId: third.item.profileId, type: "mutex" });
  committer.repeat(await compared(encode(2, "mutex", mutex(31))), upload);
  const next = taking.next();
  expect(await commits[1]).toBe("stored");
  expect(await added()).toEqual([0, 21]);
  stopped.abort();
  await next;
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

test("a late snapshot adds the growth up to a first one that was pending, also after the memory is cleared", async () => {
  const { memory, encode, compare, send, added } = await ingestion();
  const commitFirst = await compare(encode(4, "mutex", mutex(30)));
  const late = send(2, 20);
  expect(await commitFirst()).toBe("stored");
  expect(await late).toBe("stored");
  memory.clear();
  await send(0, 5);
  expect(await added()).toEqual([15, 10, 0]);
});
