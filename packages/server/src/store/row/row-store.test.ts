import { execFile } from "node:child_process";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { rowMigrations } from "./migrations.ts";
import { changesRow, openRowStore, type RowStore, type RowStoreConfig } from "./row-store.ts";

const backends = await rowBackends();

const run = promisify(execFile);
const at = "2026-11-20T10:00:00.000Z";
const organization = (id: string) => ({
  id,
  name: "Acme",
  isDemo: 0 as const,
  suspendedAt: null,
  createdAt: at,
});
const user = (id: string, emailKey: string) => ({
  id,
  email: emailKey,
  emailKey,
  passwordHash: "hash",
  firstName: "Ada",
  lastName: "Lovelace",
  isActive: 1 as const,
  isVerified: 0 as const,
  createdAt: at,
  lastLoginAt: null,
});

describe.each(backends)("the row store on $name", (backend) => {
  let place: { config: RowStoreConfig; remove(): Promise<void> };
  let rows: RowStore;
  beforeEach(async () => {
    place = await backend.create();
    rows = await openRowStore(place.config, quietLog);
  });
  afterEach(async () => {
    await rows.destroy();
    await place.remove();
  });

  it("reads back what was written, including times and flags", async () => {
    await rows
      .insertInto("organizations")
      .values({ ...organization("o1"), isDemo: 1, suspendedAt: at })
      .execute();
    expect(await rows.selectFrom("organizations").selectAll().execute()).toEqual([
      {
        ...organization("o1"),
        isDemo: 1,
        suspendedAt: at,
        allowsPublicLinks: 0,
        requiresSecondFactor: 0,
        retentionDays: null,
        coreMonthPrice: null,
        gbMonthPrice: null,
        priceCurrency: null,
      },
    ]);
  });

  it("keeps its rows and schema when it is opened again", async () => {
    await rows.insertInto("organizations").values(organization("o1")).execute();
    await rows.destroy();
    rows = await openRowStore(place.config, quietLog);
    expect(await rows.selectFrom("organizations").select("id").execute()).toEqual([{ id: "o1" }]);
  });

  it("returns counts as numbers", async () => {
    await rows
      .insertInto("organizations")
      .values([organization("o1"), organization("o2")])
      .execute();
    const row = await rows
      .selectFrom("organizations")
      .select((select) => select.fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    expect(row.count).toBe(2);
  });

  it("returns the number of rows that an update changed, and the rows on request", async () => {
    await rows
      .insertInto("organizations")
      .values([organization("o1"), organization("o2")])
      .execute();
    const update = rows.updateTable("organizations").set({ name: "New" }).where("id", "=", "o1");
    expect((await update.executeTakeFirstOrThrow()).numUpdatedRows).toBe(1n);
    expect(await update.returning(["id", "name"]).execute()).toEqual([{ id: "o1", name: "New" }]);
    const insertion = rows
      .insertInto("organizations")
      .values(organization("o9"))
      .onConflict((conflict) => conflict.doNothing());
    const removal = rows.deleteFrom("organizations").where("id", "=", "o9");
    const renaming = rows.updateTable("organizations").set({ name: "New" }).where("id", "=", "o9");
    const changes: boolean[] = [];
    for (const statement of [insertion, insertion, renaming, removal, removal, renaming])
      changes.push(await changesRow(statement));
    expect(changes).toEqual([true, false, true, true, false, false]);
  });

  it("refuses a second account with the same address", async () => {
    await rows.insertInto("users").values(user("u1", "ada@example.com")).execute();
    await expect(rows.insertInto("users").values(user("u2", "ada@example.com")).execute()).rejects.toThrow(
      /unique/i,
    );
  });

  it("refuses a membership without a user, and removes memberships with their user", async () => {
    await rows.insertInto("organizations").values(organization("o1")).execute();
    const membership = { orgId: "o1", userId: "u1", role: "admin" as const, createdAt: at };
    await expect(rows.insertInto("memberships").values(membership).execute()).rejects.toThrow(/foreign key/i);
    await rows.insertInto("users").values(user("u1", "ada@example.com")).execute();
    await rows.insertInto("memberships").values(membership).execute();
    await rows.deleteFrom("users").where("id", "=", "u1").execute();
    expect(await rows.selectFrom("memberships").selectAll().execute()).toEqual([]);
  });

  it("rolls back a transaction that fails", async () => {
    const failing = rows.transaction().execute(async (transaction) => {
      await transaction.insertInto("organizations").values(organization("o1")).execute();
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect(await rows.selectFrom("organizations").selectAll().execute()).toEqual([]);
  });

  it("isolates concurrent transactions", async () => {
    await rows.insertInto("tokenBuckets").values({ subject: "account:a", fullAtMs: 0 }).execute();
    const count = () =>
      rows.transaction().execute(async (transaction) => {
        await transaction
          .updateTable("tokenBuckets")
          .set((set) => ({ fullAtMs: set("fullAtMs", "+", 1) }))
          .where("subject", "=", "account:a")
          .execute();
      });
    await Promise.all(Array.from({ length: 20 }, count));
    const row = await rows.selectFrom("tokenBuckets").select("fullAtMs").executeTakeFirstOrThrow();
    expect(row.fullAtMs).toBe(20);
  });

  it("is opened by several processes at once without running a migration twice", async () => {
    const other = await backend.createWithoutTables();
    const url = new URL("row-store.ts", import.meta.url).href;
    const open = `const { openRowStore } = await import(${JSON.stringify(url)});
      const log = { debug() {}, info(fields) { console.log(fields.status); }, warn() {}, error() {} };
      await (await openRowStore(${JSON.stringify(other.config)}, log)).destroy();`;
    try {
      const runs = await Promise.all(
        [1, 2, 3].map(() => run(process.execPath, ["--input-type=module", "-e", open])),
      );
      const statuses = runs.flatMap(({ stdout }) => stdout.trim().split("\n").filter(Boolean));
      expect(new Set(statuses)).toEqual(new Set(["Success"]));
      expect(statuses.length).toBe(Object.keys(await rowMigrations.getMigrations()).length);
    } finally {
      await other.remove();
    }
  });

  it("works on a schema that a server of the next version changed, and refuses a newer one", async () => {
    const apply = (name: string) =>
      sql`INSERT INTO kysely_migration (name, timestamp) VALUES (${name}, ${at})`.execute(
        rows.withoutPlugins(),
      );
    await sql`ALTER TABLE organizations ADD COLUMN later text`.execute(rows);
    await apply("9998-v2-later");
    await rows.destroy();
    rows = await openRowStore(place.config, quietLog);
    const added = { id: "later", name: "Later", isDemo: 0 as const, createdAt: at };
    expect(await changesRow(rows.insertInto("organizations").values(added))).toBe(true);
    await apply("9999-v3-later");
    await rows.destroy();
    await expect(openRowStore(place.config, quietLog)).rejects.toThrow("more than one version newer");
    rows = await openRowStore((await backend.create()).config, quietLog);
  });
});

const postgres = backends.filter(({ name }) => name === "PostgreSQL");
describe.each(postgres)("the row store on $name", (backend) => {
  it("reports a query as unavailable when its connection breaks, and runs the next one", async () => {
    const { config, remove } = await backend.create();
    const rows = await openRowStore(config, quietLog);
    const broken = expect(
      rows.transaction().execute(async (transaction) => {
        await sql`SELECT pg_sleep(0)`.execute(transaction);
        await sql`SELECT pg_sleep(60)`.execute(transaction);
      }),
    ).rejects.toThrow(StoreUnavailable);
    const end = sql<{ ended: boolean }>`SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
      WHERE query = 'SELECT pg_sleep(60)' AND datname = current_database()`;
    await expect.poll(async () => (await end.execute(rows)).rows).toEqual([{ ended: true }]);
    await broken;
    expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(rows)).rows).toEqual([{ one: 1 }]);
    await rows.destroy();
    await remove();
  });

  it.each([
    [
      "a database that is not there",
      { pathname: "/nowhere" },
      /: database "nowhere" does not exist\. Correct DATABASE_URL\.$/,
    ],
    [
      "a user who is not there",
      { username: "nobody-known" },
      /: role "nobody-known" does not exist\. Correct DATABASE_URL\.$/,
    ],
  ])("says in a sentence what is wrong with %s", async (_, wrong, words) => {
    const { config, remove } = await backend.create();
    if (config.kind !== "postgres") throw new Error("not PostgreSQL");
    const url = Object.assign(new URL(config.url), wrong).href;
    await expect(openRowStore({ kind: "postgres", url }, quietLog)).rejects.toThrow(words);
    await remove();
  });
});

describe("the row store on SQLite", () => {
  it("reports why a transaction failed that SQLite rolled back by itself, and works afterwards", async () => {
    const place = await backends[0]!.create();
    const rows = await openRowStore(place.config, quietLog);
    const failing = rows.transaction().execute(async (transaction) => {
      // As SQLite does after an I/O error.
      await sql`ROLLBACK`.execute(transaction);
      throw new Error("disk I/O error");
    });
    await expect(failing).rejects.toThrow("disk I/O error");
    await rows.transaction().execute((transaction) => sql`SELECT 1`.execute(transaction));
    await rows.destroy();
    await place.remove();
  });

  it("syncs to the disk before it acknowledges", async () => {
    const place = await backends[0]!.create();
    const rows = await openRowStore(place.config, quietLog);
    const pragma = async (name: string) =>
      Object.values((await sql.raw(`PRAGMA ${name}`).execute(rows)).rows[0] as object)[0];
    expect(await pragma("journal_mode")).toBe("wal");
    expect(await pragma("synchronous")).toBe(2);
    expect(await pragma("foreign_keys")).toBe(1);
    await rows.destroy();
    await place.remove();
  });

  it("lets the event loop run during a slow statement", async () => {
    const place = await backends[0]!.create();
    const rows = await openRowStore(place.config, quietLog);
    let isRunning = true;
    const counted = sql<{ count: number }>`WITH RECURSIVE counted(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < 200000)
      SELECT count(*) AS count FROM counted`
      .execute(rows)
      .finally(() => {
        isRunning = false;
      });
    let turns = 0;
    for (; isRunning; turns++) await nextTurn();
    expect((await counted).rows).toEqual([{ count: 200_000 }]);
    expect(turns).toBeGreaterThan(20);
    await rows.destroy();
    await place.remove();
  });
});
