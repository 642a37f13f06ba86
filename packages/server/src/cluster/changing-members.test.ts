import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectRows, openRowStore, type RowStore } from "#store/row/row-store.ts";
import { sharedPostgres } from "#store/testing/postgres.ts";
import { Cluster } from "./cluster.ts";
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

  async function open(id: string): Promise<Cluster> {
    const operations = new Map<string, Operation>();
    const listening = { id, keys, operations, bytesMax: 1e6, onError: () => undefined };
    const server = await listenForCalls(listening, { host: "127.0.0.1", port: 0 });
    const parts = { rows: connectRows(config, log), keys, log, version: "1", deadMs };
    const cluster = new Cluster(parts, { id, host: "127.0.0.1", server, operations });
    opened.push(cluster);
    return cluster;
  }

  async function join(id: string): Promise<Cluster> {
    const cluster = await open(id);
    await cluster.join({ forget: () => undefined, handOver: async () => undefined });
    return cluster;
  }

  async function joinAll(...ids: readonly string[]): Promise<readonly Cluster[]> {
    const all = await Promise.all(ids.map(join));
    const isComplete = () => all.every(({ isOwner, others }) => isOwner && others.length === ids.length - 1);
    await expect.poll(isComplete, patient).toBe(true);
    return all;
  }

  const stored = async () =>
    (await rows.selectFrom("clusterMembers").select("id").execute()).map(({ id }) => id);

  test("keep their leases while the database hangs", async () => {
    const all = await joinAll("m-a", "m-b", "m-c");
    const terms = all.map(({ term }) => term);
    const [released, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const locking = rows.transaction().execute(async (held) => {
      await sql`LOCK TABLE cluster_members IN ACCESS EXCLUSIVE MODE`.execute(held);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    const lapses: string[] = [];
    const untilMs = performance.now() + 2 * deadMs;
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
      const all = await joinAll(`m-${round}a`, `m-${round}b`, `m-${round}c`);
      await Promise.all(all.slice(0, 2).map((cluster) => cluster.leave()));
      await Promise.all(all.slice(0, 2).map((cluster) => cluster.close()));
      expect(await stored()).toEqual([`m-${round}c`]);
      await all[2]!.close();
    }
  });

  test("that stop while they join do not claim to take uploads", async () => {
    const cluster = await open("m-early");
    const joining = cluster.join({ forget: () => undefined, handOver: async () => undefined });
    await cluster.close();
    await joining;
    expect(logged.filter((line) => line.includes("takes uploads"))).toEqual([]);
  });

  test("still wait for rows of others after they have signed off", async () => {
    const [leaving, other] = await joinAll("m-leaving", "m-other");
    other!.answer("settle", async () => ({ head: "settled" }));
    await leaving!.leave();
    const reply = await leaving!.callWhilePresent(other!.self, "settle", { head: null });
    expect(reply?.head).toBe("settled");
  });
});
