import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectRows, openRowStore, type RowStore } from "#store/row/row-store.ts";
import { sharedPostgres } from "#store/testing/postgres.ts";
import { callMsMax } from "./call.ts";
import { Cluster } from "./cluster.ts";
import { idleHooks as hooks, type MemberHooks } from "./hand-overs.ts";
import { listenForCalls, type Operation } from "./listen.ts";

const postgres = await sharedPostgres();
const keys = [new Uint8Array(32).fill(1)] as const;
const deadMs = 2000;
const patient = { timeout: 20_000 };

describe.skipIf(postgres === undefined)("members that share a database", () => {
  let config: { readonly kind: "postgres"; readonly url: string };
  let rows: RowStore;
  const opened: Cluster[] = [];
  const logged: string[] = [];
  const note = (fields: object, text: string) => void logged.push(`${text} ${JSON.stringify(fields)}`);
  const log = { info: note, warn: note, error: note } as unknown as Parameters<typeof connectRows>[1] &
    ConstructorParameters<typeof Cluster>[0]["log"];

  beforeAll(async () => {
    config = { kind: "postgres", url: await postgres!.createDatabase() };
    rows = await openRowStore(config, log);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((cluster) => cluster.close()));
    logged.length = 0;
  });
  afterAll(() => rows.destroy());

  async function open(id: string, { host = "127.0.0.1", slowness = 1 } = {}): Promise<Cluster> {
    const operations = new Map<string, Operation>();
    const listening = { id, keys, operations, bytesMax: 1e6, onError: () => undefined };
    const server = await listenForCalls(listening, { host: "127.0.0.1", port: 0 });
    const parts = { rows: connectRows(config, log), keys, log, version: "1", deadMs: slowness * deadMs };
    const cluster = new Cluster(parts, { id, host, server, operations });
    opened.push(cluster);
    return cluster;
  }

  async function join(id: string, slowness = 1, changed: Partial<MemberHooks> = {}): Promise<Cluster> {
    const cluster = await open(id, { slowness });
    await cluster.join({ ...hooks, ...changed });
    return cluster;
  }

  async function joinAll(ids: readonly string[], slowness = 1): Promise<readonly Cluster[]> {
    const all = await Promise.all(ids.map((id) => join(id, slowness)));
    const isComplete = () => all.every(({ isOwner, others }) => isOwner && others.length === all.length - 1);
    await expect.poll(isComplete, patient).toBe(true);
    return all;
  }

  const stored = async () =>
    (await rows.selectFrom("clusterMembers").select("id").execute()).map(({ id }) => id);

  test("keep their leases while the database hangs", async () => {
    // A busy machine may stop this process for most of a shorter lease.
    const slowness = 2.5;
    const all = await joinAll(["m-a", "m-b", "m-c"], slowness);
    const terms = all.map(({ term }) => term);
    const [released, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const locking = rows.transaction().execute(async (held) => {
      await sql`LOCK TABLE cluster_members IN ACCESS EXCLUSIVE MODE`.execute(held);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    const lapses: string[] = [];
    const untilMs = performance.now() + 2 * slowness * deadMs;
    try {
      await expect
        .poll(() => {
          for (const { isOwner, self } of all) if (!isOwner) lapses.push(self.id);
          return performance.now() > untilMs;
        }, patient)
        .toBe(true);
    } finally {
      released.resolve();
      await locking;
    }
    expect(lapses).toEqual([]);
    expect(all.map(({ term }) => term)).toEqual(terms);
  });

  test("leave no rows when they stop at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const all = await joinAll([`m-${round}a`, `m-${round}b`, `m-${round}c`]);
      await Promise.all(all.slice(0, 2).map((cluster) => cluster.leave()));
      await Promise.all(all.slice(0, 2).map((cluster) => cluster.close()));
      expect(await stored()).toEqual([`m-${round}c`]);
      await all[2]!.close();
    }
  });

  test("that stop while they join do not claim to take uploads", async () => {
    const cluster = await open("m-early");
    const joining = cluster.join(hooks);
    await cluster.close();
    await joining;
    expect(logged.filter((line) => line.includes("takes uploads"))).toEqual([]);
  });

  test("still wait for rows of others after they have signed off", async () => {
    const [leaving, other] = await joinAll(["m-leaving", "m-other"]);
    other!.answer("settle", async () => ({ head: "settled" }));
    await leaving!.leave();
    const reply = await leaving!.calls.callWhilePresent(other!.self, "settle", { head: null });
    expect(reply?.head).toBe("settled");
  });

  test("own nothing before the others have reached them, and are logged", async () => {
    const [joined] = await joinAll(["m-here"]);
    // It listens at 127.0.0.1.
    const ghost = await open("m-ghost", { host: "127.0.0.2" });
    await ghost.join(hooks);
    const isLogged = () => logged.some((line) => line.includes("it cannot reach this server"));
    await expect.poll(isLogged, patient).toBe(true);
    expect(await stored()).toContain("m-ghost");
    expect([joined!.others, ghost.isOwner]).toEqual([[], false]);
    const later = await join("m-later");
    await expect.poll(() => later.isOwner, patient).toBe(true);
    expect(joined!.others.map(({ id }) => id)).toEqual(["m-later"]);
  });

  test("own nothing, and are counted by none, while one of the others is occupied", async () => {
    let isOccupied = true;
    const occupied = await join("m-occupied", 1, { isOccupied: () => isOccupied });
    const idle = await open("m-idle");
    // It joins first, while nothing is under way.
    isOccupied = false;
    await expect.poll(() => occupied.isOwner, patient).toBe(true);
    await idle.join(hooks);
    await expect.poll(() => idle.isOwner, patient).toBe(true);
    isOccupied = true;
    const later = await join("m-later");
    const isLogged = () => logged.some((line) => line.includes("Another server deletes profiles"));
    await expect.poll(isLogged, patient).toBe(true);
    expect([later.isOwner, occupied.others.length, idle.others.length]).toEqual([false, 1, 1]);
    isOccupied = false;
    await expect.poll(() => later.isOwner, patient).toBe(true);
    expect([occupied.others.length, idle.others.length]).toEqual([2, 2]);
  });

  test("that ask again while rows are handed over to them wait for the same hand-over", async () => {
    const [released, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let handOvers = 0;
    const handOver = () => {
      handOvers++;
      asked.resolve();
      return released.promise;
    };
    const here = await join("m-here", 1, { handOver });
    await expect.poll(() => here.isOwner, patient).toBe(true);
    const later = await join("m-later");
    await asked.promise;
    const again = [1, 2, 3].map(() => later.calls.call(here.self, "hello", { head: later.self }));
    await later.calls.call(here.self, "ping", { head: null });
    expect([later.isOwner, here.others.length]).toEqual([false, 1]);
    released.resolve();
    await Promise.all(again);
    await expect.poll(() => later.isOwner, patient).toBe(true);
    expect(handOvers).toBe(1);
  });

  test("that are gone keep no call waiting for a database that hangs", async () => {
    const [here] = await joinAll(["host-here"]);
    const row = { id: "host-ghost", address: "127.0.0.1:1", version: "1", startedAt: "", seenAt: "1" };
    await rows
      .insertInto("clusterMembers")
      .values({ ...row, joined: 1 })
      .execute();
    await expect.poll(() => here!.others.length, patient).toBe(1);
    await rows.transaction().execute(async (locking) => {
      await locking.selectFrom("clusterMembers").select("id").where("id", "=", row.id).forUpdate().execute();
      await expect(here!.calls.call(row, "settle", { head: null })).rejects.toThrow("cannot be reached");
      expect(here!.others).toEqual([]);
    });
  });

  test("that send heartbeats and do not answer fail a read before any other call would end", async () => {
    const [here, other] = await joinAll(["m-here", "m-slow"]);
    other!.answer("settle", () => new Promise(() => undefined));
    const ended = here!.calls.callWhilePresent(other!.self, "settle", { head: null });
    const late = sleep(callMsMax / 2, "late", { ref: false });
    await expect(Promise.race([ended, late])).rejects.toThrow("has not stored all profiles");
  }, 60_000);

  test("that have joined and cannot be reached fail a read, which names them", async () => {
    const [here] = await joinAll(["m-here"]);
    const beating = setInterval(() => {
      const row = { id: "m-ghost", address: "127.0.0.2:1", version: "1", startedAt: "", joined: 1 as const };
      const seenAt = String(performance.now());
      const written = rows
        .insertInto("clusterMembers")
        .values({ ...row, seenAt })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ seenAt }));
      written.execute().catch(note.bind(undefined, {}));
    }, deadMs / 10);
    try {
      await expect.poll(() => here!.others.length, patient).toBe(1);
      const read = here!.calls.callWhilePresent(here!.others[0]!, "settle", { head: null });
      await expect(read).rejects.toThrow("The server at 127.0.0.2:1 does not answer");
      expect(logged.filter((line) => line.includes("127.0.0.2:1 cannot be reached"))).toHaveLength(1);
    } finally {
      clearInterval(beating);
    }
  }, 60_000);
});
