import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { quietLog, temporaryFolder } from "#store/testing/backends.ts";
import { makeRoom, reserveRoom } from "./reserved-room.ts";
import { openRowStore, type RowStore, type RowStoreConfig } from "./row-store.ts";

const reservedBytes = 4_500_000;
let folder: ReturnType<typeof temporaryFolder>;
let config: RowStoreConfig & { readonly kind: "sqlite" };
let rows: RowStore;
beforeEach(async () => {
  folder = temporaryFolder();
  config = { kind: "sqlite", file: join(folder.path, "rows.sqlite") };
  rows = await openRowStore(config, quietLog);
});
afterEach(async () => {
  await rows.destroy();
  folder.remove();
});

async function freeBytes(): Promise<number> {
  const [pages] = (
    await sql<{ freelist_count: number }>`PRAGMA freelist_count`.execute(rows.withoutPlugins())
  ).rows;
  return pages!.freelist_count * 4096;
}

const logBytes = () => statSync(`${config.file}-wal`).size;

/** As sessions and alerts do over months. */
async function grow(bytes: number): Promise<void> {
  const createdAt = new Date().toISOString();
  const organizations = Array.from({ length: Math.ceil(bytes / 100_000) }, () => ({
    id: randomUUID(),
    name: "x".repeat(100_000),
    isDemo: 0 as const,
    createdAt,
  }));
  for (const each of organizations) await rows.insertInto("organizations").values(each).execute();
}

it("is reserved in the file and its log when the store opens", async () => {
  expect(await freeBytes()).toBeGreaterThanOrEqual(reservedBytes);
  expect(logBytes()).toBeGreaterThanOrEqual(reservedBytes);
});

it("is refilled after the database grew into it, and not rewritten otherwise", async () => {
  await grow(reservedBytes);
  expect(await freeBytes()).toBeLessThan(reservedBytes / 10);
  await reserveRoom(rows, config);
  expect(await freeBytes()).toBeGreaterThanOrEqual(reservedBytes);
  const pages = statSync(config.file).size;
  await reserveRoom(rows, config);
  expect(statSync(config.file).size).toBe(pages);
});

it("does not stop the store from opening when the disk is too full", async () => {
  await grow(reservedBytes);
  await sql`PRAGMA max_page_count = 1`.execute(rows);
  await reserveRoom(rows, config);
  await rows
    .insertInto("organizations")
    .values({ id: randomUUID(), name: "small", isDemo: 0, createdAt: "now" })
    .execute();
  const tables = await sql`SELECT name FROM sqlite_master WHERE name = 'reserved_room'`.execute(rows);
  expect(tables.rows).toEqual([]);
});

it("is reserved once when two processes open the store together", async () => {
  const other = await openRowStore(config, quietLog);
  try {
    for (let round = 0; round < 10; round++) await Promise.all([makeRoom(rows), makeRoom(other)]);
    expect(await freeBytes()).toBeGreaterThanOrEqual(reservedBytes);
  } finally {
    await other.destroy();
  }
});
