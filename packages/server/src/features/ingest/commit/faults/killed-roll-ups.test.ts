import { minuteMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectColumns } from "#store/column/client/client.ts";
import { toLogins } from "#store/column/client/embedded-source.ts";
import { type ColumnStore, openColumnStore } from "#store/column/column-store.ts";
import { startEngine } from "#store/column/engine/supervisor.ts";
import { columnStoreFolder, quietLog } from "#store/testing/backends.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
const folder = await columnStoreFolder();
beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: "2026-11-20T12:20:00.000Z" });
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

const config = { kind: "embedded" as const, dataDir: folder.path };
const limits = {
  executionSecondsMax: 20,
  memoryBytesMax: 300_000_000,
  resultRowsMax: 1000,
  resultBytesMax: 1_000_000,
  threadsMax: 2,
};

/** Leaves what an engine leaves that is killed after the rows of an insert: no roll-up counts them, and the engine has noted all tokens. */
async function removeRollUpsAfter(time: string): Promise<void> {
  const engine = await startEngine({ ...config, memoryBytesMax: 500_000_000, limits }, quietLog);
  const client = connectColumns({ ...toLogins(engine.address()!), limits });
  await client.command(
    `DELETE FROM type_totals_1m WHERE minute >= '${time}' SETTINGS lightweight_deletes_sync = 2`,
  );
  await client.close();
  await engine.stop();
}

/** A store whose engine is killed when the profiles of an insert are on disk and their roll-ups are not. */
async function storeKilledOnce() {
  let current: ColumnStore = await openColumnStore(config, quietLog);
  const { awaitedRows } = current;
  let killAfter: string | undefined;
  let restarts = 0;
  const store: ColumnStore = {
    ...current,
    insert: async (batch) => {
      await current.insert(batch);
      if (batch.table !== "profiles" || killAfter === undefined) return;
      await current[Symbol.asyncDispose]();
      await removeRollUpsAfter(killAfter);
      current = await openColumnStore(config, quietLog);
      killAfter = undefined;
      restarts++;
      throw new StoreUnavailable("The engine was killed.");
    },
    // Only the first store knows the rows that wait.
    ...awaitedRows.reader({
      query: (definition, params) => current.query(definition, params),
      queryBytes: (definition, params) => current.queryBytes(definition, params),
    }),
    profileTotals: (range) => awaitedRows.before(range, () => current.profileTotals(range)),
    stackTotals: (range, hours) => awaitedRows.before(range, () => current.stackTotals(range, hours)),
    get direct() {
      return current.direct;
    },
    maintenance: {
      ...current.maintenance,
      rollUp: (now) => current.maintenance.rollUp(now),
      recount: (hours) => current.maintenance.recount(hours),
      doubtfulHours: () => current.maintenance.doubtfulHours(),
      markDoubtful: (hours) => current.maintenance.markDoubtful(hours),
    },
    isReady: () => current.isReady(),
    quarantined: () => current.quarantined(),
    health: () => ({ ...current.health(), restarts }),
    damagedParts: () => current.damagedParts(),
    [Symbol.asyncDispose]: () => current[Symbol.asyncDispose](),
  };
  const killAtNextInsert = (time: string) => {
    killAfter = time;
  };
  return { store, killAtNextInsert };
}

test("after an engine is killed between rows and roll-ups, the upload does not wait for the recount, but reads do", async () => {
  const person = await server.signUp();
  const key = await server.makeKey(person);
  const { store, killAtNextInsert } = await storeKilledOnce();
  const app = await server.createApp({ columns: store });
  const send = async (started_at: string, value: number) => {
    const profile = profileOf(`main\n1,${value}`, {
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      durationNs: 10_000_000_000n,
    });
    const query = { service: "checkout", type: "cpu", started_at };
    return server.trySend(profile, { app, headers: key.headers, query });
  };
  const figures = async () => {
    const query = { from: "2026-11-20T10:00:00Z", to: "2026-11-20T11:00:00Z" };
    const get = async (path: string, more = {}) => {
      const url = `/api/v1/protected/${path}/service/checkout/cpu`;
      const reply = await app.inject({ url, query: { ...query, ...more }, headers: person.headers });
      expect([path, reply.statusCode]).toEqual([path, 200]);
      return reply.json();
    };
    const [timeline, merged] = [await get("timeline", { bucket: "1h" }), await get("flamegraph")];
    return {
      merged: merged.profiles_merged,
      nanoseconds: merged.total_samples,
      points: timeline.data_points,
    };
  };
  try {
    expect((await send("2026-11-20T10:05:00Z", 1e9)).statusCode).toBe(200);
    await store.awaitedRows.settled(undefined);
    await store.maintenance.rollUp(server.ctx.now());
    const before = await figures();
    expect(before).toMatchObject({ merged: 1, nanoseconds: 1e9 });

    killAtNextInsert("2026-11-20 10:07:00");
    expect((await send("2026-11-20T10:07:00Z", 2e9)).json()).toMatchObject({ duplicate: false });
    await store.awaitedRows.settled(undefined);
    const hourSeconds = Date.parse("2026-11-20T10:00:00Z") / 1000;
    await expect
      .poll(() => store.maintenance.doubtfulHours(), { timeout: 30_000 })
      .toEqual([{ orgId: person.orgId, service: "checkout", hourSeconds }]);
    // Roll-ups lack the second profile until the first read, which waits for the recount.
    const after = await figures();
    expect(after).toMatchObject({ merged: 2, nanoseconds: 3e9 });
    expect(store.maintenance.doubtfulHours()).toEqual([]);
    expect(after.points).not.toEqual(before.points);
    await store.maintenance.rollUp(server.ctx.now());
    expect(await figures()).toEqual(after);
  } finally {
    await app.close();
    await store[Symbol.asyncDispose]();
  }
});

test("while the engine is killed under load, no read has less than was acknowledged before it", async () => {
  const person = await server.signUp();
  const key = await server.makeKey(person);
  const own = await columnStoreFolder();
  const store = await openColumnStore({ kind: "embedded", dataDir: own.path }, quietLog);
  const app = await server.createApp({ columns: store });
  const day = { from: "2026-11-20T08:00:00Z", to: "2026-11-20T12:20:00Z" };
  const over = new AbortController();
  const acknowledged = { loud: 0 };
  const sendAll = async (sender: number) => {
    for (let number = 0; !over.signal.aborted; number++) {
      const ms = Date.parse("2026-11-20T09:00:00Z") + (number % 180) * minuteMs + number * 3 + sender;
      const started_at = new Date(ms).toISOString();
      const query = { service: "loud", type: "cpu", started_at };
      const profile = profileOf(`main\n${number * 10 + sender}`, { sampleTypes: ["samples/count"] });
      const reply = await server.trySend(profile, { app, headers: key.headers, query });
      if (reply.statusCode === 200) acknowledged.loud++;
    }
  };
  const read = async (path: string) => {
    const least = acknowledged.loud;
    const url = `/api/v1/protected/${path}`;
    const query = { ...day, include_totals: "true" };
    const reply = await app.inject({ url, query, headers: person.headers });
    return { least, isRead: reply.statusCode === 200, body: reply.json() };
  };
  const figures = {
    "flamegraph/service/loud/cpu": (body: { profiles_merged: number }) => body.profiles_merged,
    services: (body: { services: { total_profiles: number }[] }) => body.services[0]?.total_profiles ?? 0,
  };
  const reads = { done: 0, short: [] as unknown[] };
  const readAll = async () => {
    while (!over.signal.aborted) {
      for (const [path, figure] of Object.entries(figures)) {
        const { least, isRead, body } = await read(path);
        if (!isRead) continue;
        reads.done++;
        if (figure(body) < least) reads.short.push({ path, least, found: figure(body) });
      }
    }
  };
  try {
    const working = [sendAll(1), sendAll(2), sendAll(3), readAll()];
    for (let kills = 1; kills <= 2; kills++) {
      const before = reads.done;
      await expect.poll(() => reads.done, { timeout: 30_000 }).toBeGreaterThan(before + 6);
      process.kill(store.health().enginePid!, "SIGKILL");
      await expect.poll(() => store.health().restarts, { timeout: 30_000 }).toBe(kills);
    }
    const before = reads.done;
    await expect.poll(() => reads.done, { timeout: 30_000 }).toBeGreaterThan(before + 6);
    over.abort();
    await Promise.all(working);
    expect(reads.short).toEqual([]);
  } finally {
    over.abort();
    await app.close();
    await store[Symbol.asyncDispose]();
    own.remove();
  }
});
