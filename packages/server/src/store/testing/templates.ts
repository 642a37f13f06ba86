import { copyFileSync, cpSync, existsSync, renameSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type ColumnStore, openColumnStore } from "#store/column/column-store.ts";
import { columnsFolder } from "#store/column/engine/supervisor.ts";
import { openRowStore } from "#store/row/row-store.ts";
import type { RunningPostgres } from "./postgres.ts";
import { testStoresFolder } from "./test-stores-folder.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Puts an empty column store with all its tables into a data folder. Opening a store without tables runs every
 * migration, which takes ten times as long as this copy; tests of the first start do without it. A folder that has a
 * column store stays as it is.
 *
 * @param name stores of different names have different table ids, as real stores have
 */
export async function copyColumnStore(dataDir: string, name: "first" | "second" = "first"): Promise<void> {
  if (existsSync(join(dataDir, columnsFolder))) return;
  const template = templates.get(name) ?? makeTemplate(name);
  templates.set(name, template);
  const options = { recursive: true, verbatimSymlinks: true };
  cpSync(join(await template, columnsFolder), join(dataDir, columnsFolder), options);
}

/** Puts an empty row store with all its tables at this path: running the migrations takes most of the time of a start. */
export async function copyRowStore(file: string): Promise<void> {
  const template = join(testStoresFolder(), "rows.sqlite");
  if (existsSync(file)) return;
  if (!existsSync(template)) {
    const made = `${template}-${process.pid}`;
    const rows = await openRowStore({ kind: "sqlite", file: made }, quiet);
    await rows.destroy();
    renameSync(made, template);
  }
  copyFileSync(template, file);
}

let migrated: Promise<string> | undefined;

/** The URL of a database of this worker with all tables, for copies. Nobody may connect to it. */
export function postgresTemplate(postgres: RunningPostgres): Promise<string> {
  migrated ??= makePostgresTemplate(postgres);
  return migrated;
}

async function makePostgresTemplate(postgres: RunningPostgres): Promise<string> {
  const url = await postgres.createDatabase();
  const rows = await openRowStore({ kind: "postgres", url }, quiet);
  await rows.destroy();
  return url;
}

let shared: Promise<ColumnStore> | undefined;

/** The column store of this worker, which apps share unless they need a separate one. It ends with the worker. */
export function sharedColumnStore(): Promise<ColumnStore> {
  shared ??= openShared();
  return shared;
}

async function openShared(): Promise<ColumnStore> {
  const dataDir = await mkdtemp(join(testStoresFolder(), "shared-"));
  await copyColumnStore(dataDir);
  return openColumnStore({ kind: "embedded", dataDir }, quiet);
}

const templates = new Map<string, Promise<string>>();

/** Made once in a run of the tests. If two workers make it at the same time, the first to finish gives it its name. */
async function makeTemplate(name: string): Promise<string> {
  const folder = testStoresFolder();
  const template = join(folder, name);
  if (existsSync(template)) return template;
  const made = await mkdtemp(join(folder, "new-"));
  const columns = await openColumnStore({ kind: "embedded", dataDir: made }, quiet);
  await columns[Symbol.asyncDispose]();
  try {
    await rename(made, template);
  } catch (error) {
    if (!existsSync(template)) throw error;
    await rm(made, { recursive: true });
  }
  return template;
}
