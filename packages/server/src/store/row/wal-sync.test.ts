import { DatabaseSync } from "node:sqlite";
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toKyselyDatabase } from "./sqlite.ts";
import { RetryingSqliteDriver } from "./sqlite-driver.ts";

interface Notes {
  readonly notes: { readonly text: string };
}

/** Syncs that end when the test says so. */
class HeldSyncs {
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  isHeld = false;
  count = 0;

  async sync(): Promise<void> {
    this.count++;
    if (!this.isHeld) return;
    const waiting = Promise.withResolvers<void>();
    this.#waiting.push(waiting);
    await waiting.promise;
  }

  /** Waits until one is under way, and ends it. */
  async endOne(fault?: Error): Promise<void> {
    await expect.poll(() => this.#waiting.length).toBe(1);
    const [waiting] = this.#waiting.splice(0);
    if (fault === undefined) waiting!.resolve();
    else waiting!.reject(fault);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

describe("a write to SQLite", () => {
  let syncs: HeldSyncs;
  let rows: Kysely<Notes>;
  beforeEach(async () => {
    syncs = new HeldSyncs();
    const config = { database: async () => toKyselyDatabase(new DatabaseSync(":memory:")) };
    rows = new Kysely<Notes>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new RetryingSqliteDriver(config, 100, syncs),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      },
    });
    await sql`CREATE TABLE notes (text TEXT)`.execute(rows);
    syncs.count = 0;
  });
  afterEach(() => rows.destroy());

  const add = (text: string, to = rows) => to.insertInto("notes").values({ text }).execute();
  const read = (from = rows) => from.selectFrom("notes").selectAll().execute();

  it.each([
    ["a statement", () => add("first")],
    ["a transaction", () => rows.transaction().execute((transaction) => add("first", transaction))],
  ])("as %s is neither acknowledged nor read by others before it is on disk", async (_, write) => {
    syncs.isHeld = true;
    const events: string[] = [];
    const written = write().then(() => events.push("acknowledged"));
    const found = read().then((notes) => events.push(`read ${notes.length}`));
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual([]);
    await syncs.endOne();
    await Promise.all([written, found]);
    expect(events.toSorted()).toEqual(["acknowledged", "read 1"]);
    expect(syncs.count).toBe(1);
  });

  it("fails if it cannot be synced, and others work afterwards", async () => {
    syncs.isHeld = true;
    const failed = expect(add("first")).rejects.toThrow("EIO");
    await syncs.endOne(new Error("EIO"));
    await failed;
    syncs.isHeld = false;
    await add("second");
  });

  it("is all that is synced: reads are not", async () => {
    await read();
    await rows.transaction().execute((transaction) => read(transaction));
    expect(syncs.count).toBe(0);
  });
});
