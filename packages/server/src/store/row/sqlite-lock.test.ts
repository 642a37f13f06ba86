import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { quietLog } from "#store/testing/backends.ts";
import { StoreLocked, StoreRefused } from "#store/unavailable.ts";
import { startApp, testPassword } from "#testing/start-app.ts";
import { openRowStore, type RowStore } from "./row-store.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "flamekeep-lock-"));
  file = join(folder, "rows.sqlite");
});
afterEach(() => rm(folder, { recursive: true }));

/** Holds the write lock as another process does. */
function lock(): DatabaseSync {
  const other = new DatabaseSync(file);
  other.exec("BEGIN IMMEDIATE");
  return other;
}

function unlock(other: DatabaseSync): void {
  other.exec("ROLLBACK");
  other.close();
}

const organization = (id: string) => ({ id, name: "Acme", isDemo: 0 as const, createdAt: "2026-11-20" });
const idsOf = async (rows: RowStore) =>
  (await rows.selectFrom("organizations").select("id").orderBy("id").execute()).map(({ id }) => id);

describe("while another process holds the write lock, the row store", () => {
  it("reads, and writes statements and whole transactions once it is released", async () => {
    const rows = await openRowStore({ kind: "sqlite", file, lockWaitMs: 60_000 }, quietLog);
    const other = lock();
    let runs = 0;
    const written = Promise.all([
      rows.insertInto("organizations").values(organization("o1")).execute(),
      rows.transaction().execute(async (transaction) => {
        runs++;
        await transaction.insertInto("organizations").values(organization("o2")).execute();
        await transaction.insertInto("organizations").values(organization("o3")).execute();
      }),
      rows.insertInto("organizations").values(organization("o4")).execute(),
    ]);
    for (let i = 0; i < 5; i++) expect(await idsOf(rows)).toEqual([]);
    expect(runs).toBe(0);
    unlock(other);
    await written;
    expect([await idsOf(rows), runs]).toEqual([["o1", "o2", "o3", "o4"], 1]);
    await rows.destroy();
  });

  it("refuses all waiting statements after the longest wait, and works afterwards", async () => {
    const rows = await openRowStore({ kind: "sqlite", file, lockWaitMs: 50 }, quietLog);
    const other = lock();
    const writes = Array.from({ length: 20 }, (_, i) =>
      rows.transaction().execute((transaction) =>
        transaction
          .insertInto("organizations")
          .values(organization(`o${i}`))
          .execute(),
      ),
    );
    const results = await Promise.allSettled(writes);
    for (const result of results) {
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(StoreLocked) });
    }
    unlock(other);
    await rows.insertInto("organizations").values(organization("later")).execute();
    expect(await idsOf(rows)).toEqual(["later"]);
    await rows.destroy();
  });

  it("opens once it is released, without blocking the thread", async () => {
    const other = lock();
    other.exec("CREATE TABLE other (id)");
    const opening = openRowStore({ kind: "sqlite", file, lockWaitMs: 60_000 }, quietLog);
    unlock(other);
    const rows = await opening;
    expect(await idsOf(rows)).toEqual([]);
    await rows.destroy();
  });

  it("does not open if it is not released, and says why", async () => {
    const other = new DatabaseSync(file);
    other.exec("BEGIN EXCLUSIVE");
    const opening = openRowStore({ kind: "sqlite", file, lockWaitMs: 50 }, quietLog);
    await expect(opening).rejects.toThrow(
      new StoreRefused(
        `Another program keeps the database ${file} locked. End it, or its open transaction, and start again.`,
      ),
    );
    unlock(other);
  });

  it("isolates other statements from a running transaction", async () => {
    const rows = await openRowStore({ kind: "sqlite", file }, quietLog);
    const begun = Promise.withResolvers<void>();
    const failing = rows.transaction().execute(async (transaction) => {
      await transaction.insertInto("organizations").values(organization("undone")).execute();
      begun.resolve();
      for (let i = 0; i < 20; i++) await sql`SELECT 1`.execute(transaction);
      throw new Error("changed my mind");
    });
    await begun.promise;
    const outside = rows.insertInto("organizations").values(organization("kept")).execute();
    await expect(failing).rejects.toThrow("changed my mind");
    await outside;
    expect(await idsOf(rows)).toEqual(["kept"]);
    await rows.destroy();
  });
});

describe("while another process holds the write lock, the server", () => {
  const started = (lockWaitMs: number) =>
    startApp({ config: { rows: { kind: "sqlite", file, lockWaitMs } } });
  const signIn = (server: Awaited<ReturnType<typeof started>>, email: string) =>
    server.app.inject({ method: "POST", url: "/auth/login", payload: { email, password: testPassword } });

  it("answers probes and reads, and signs people in once it is released", async () => {
    const server = await started(60_000);
    const person = await server.signUp();
    const other = lock();
    let isSignedIn = false;
    const signingIn = signIn(server, person.email).finally(() => {
      isSignedIn = true;
    });
    const statuses: number[] = [];
    for (const url of ["/healthz", "/readyz", "/api/v1/protected/user/profile"]) {
      statuses.push((await server.app.inject({ url, headers: person.headers })).statusCode);
    }
    expect([statuses, isSignedIn]).toEqual([[200, 200, 200], false]);
    unlock(other);
    expect((await signingIn).statusCode).toBe(200);
    await server.close();
  });

  it("answers a sign-in with 503 and a sentence if it is not released", async () => {
    const server = await started(50);
    const person = await server.signUp();
    const other = lock();
    const reply = await signIn(server, person.email);
    unlock(other);
    expect([reply.statusCode, reply.headers["retry-after"], reply.json().code]).toEqual([
      503,
      "5",
      "unavailable",
    ]);
    expect(reply.json().error).toMatch(/^Another program locks the database of accounts/);
    expect((await signIn(server, person.email)).statusCode).toBe(200);
    await server.close();
  });
});
