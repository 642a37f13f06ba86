import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type ColumnClient, connectColumns } from "#store/column/client/client.ts";
import { toLogins } from "#store/column/client/embedded-source.ts";
import { OpenFailure } from "#store/column/engine/opening/open-failure.ts";
import {
  listQuarantined,
  listQuarantineFolders,
  moveToQuarantine,
} from "#store/column/engine/opening/quarantine.ts";
import {
  columnsFolder,
  type Engine,
  incomingFolderOf,
  startEngine,
} from "#store/column/engine/supervisor.ts";
import { recountDays } from "#store/column/maintenance/recount-hours.ts";
import { migrateColumns } from "#store/column/migrations/migrate.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import type { StoreLog } from "#store/log.ts";
import type { ObjectsForOriginals } from "#store/payloads/object-moves.ts";
import { openPayloadLog } from "#store/payloads/payload-log.ts";
import type { ServiceRemoval } from "#store/row/service-removals.ts";
import { noSchemaLock } from "#store/schema-lock.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { type Copied, copyRows, daysOf } from "./copy-rows.ts";
import { type RemovedAgain, removeDeleted } from "./remove-deleted.ts";

export interface Restored extends Copied, RemovedAgain {
  /** The store that was put back. */
  readonly folder: string;
  /** The folder of the store whose rows were copied into the other one. */
  readonly leftover: string;
  /** Parts of the restored store that could not be read. */
  readonly lostParts: number;
  /** Profiles in the store after the restore. */
  readonly stored: number;
}

const limits = {
  executionSecondsMax: 600,
  memoryBytesMax: 400_000_000,
  resultRowsMax: 50_000_000,
  resultBytesMax: 1_000_000_000,
  threadsMax: 2,
};
const memoryBytesMax = 800_000_000;
const lockedMsMax = 1_000;

interface OpenStore {
  readonly folder: string;
  readonly engine: Engine;
  readonly client: ColumnClient;
  readonly profiles: number;
}

export interface RestoreOptions {
  /** Deletions of services, from the row store: a deleted service must not be restored. */
  readonly removals: readonly ServiceRemoval[];
  readonly insertBytesMax?: number;
  /** Whether the current store is kept, however much larger the other one is. Damaged parts of that one are then left out. */
  readonly isIntoCurrent?: boolean;
  /** Object storage that may have original bytes of deleted services. */
  readonly openOriginals?: () => Promise<ObjectsForOriginals | undefined>;
  /** Receives a line about each step. */
  readonly progress?: (line: string) => void;
}

/**
 * Restores a store that was moved aside, while no server runs. The smaller store's rows are copied into the larger one,
 * which then becomes the store; the smaller one is kept under another name. Nothing is renamed before the last step, and
 * the next run completes an interrupted one. Both stores are read completely before anything is copied.
 *
 * @param wanted name of the folder; optional if there is only one
 */
export async function restoreQuarantined(
  dataDir: string,
  wanted: string | undefined,
  log: StoreLog,
  { removals, insertBytesMax, openOriginals, isIntoCurrent = false, progress = () => {} }: RestoreOptions,
): Promise<Restored> {
  const folder = await chooseFolder(dataDir, wanted);
  const opened: OpenStore[] = [];
  try {
    // The current store first: its lock keeps a server from starting meanwhile.
    for (const each of [columnsFolder, folder]) {
      progress(`Opening ${each}`);
      opened.push(await openStore(dataDir, each, log));
    }
    const [current, aside] = opened as [OpenStore, OpenStore];
    let leftOut = 0;
    for (const each of [aside, current]) {
      progress(`Checking ${each.folder}: ${each.profiles} profiles`);
      const damaged = await findDamagedParts(each.client);
      if (each === current || !isIntoCurrent) refuseDamaged(each, damaged);
      else leftOut = await leaveOut(each, damaged, progress);
    }
    const isAsideKept = !isIntoCurrent && aside.profiles > current.profiles;
    const [source, target] = isAsideKept ? [current, aside] : [aside, current];
    const lostParts = aside.engine.lostParts().length + leftOut;
    const removed = await removeDeleted(aside.client, removals, async () =>
      openPayloadLog(dataDir, log, { objects: await openOriginals?.() }),
    );
    progress(`Copying profiles of ${source.folder} that ${target.folder} does not have`);
    const copied = await mergeAndRecount({ source, target, insertBytesMax, progress });
    const stored = await countProfiles(target.client);
    await close(opened);
    const leftover = rename(dataDir, folder, source.folder);
    return { ...copied, ...removed, folder, leftover, lostParts, stored };
  } finally {
    await close(opened);
    rmSync(incomingFolderOf(dataDir, folder), { recursive: true, force: true });
  }
}

/**
 * Moves the current store aside, whatever its state, and returns the folder's name. Throws StoreRefused if a server uses it: then
 * nothing was moved.
 */
export async function setAside(dataDir: string, log: StoreLog): Promise<string> {
  try {
    const { engine, client } = await openStore(dataDir, columnsFolder, log);
    await client.close();
    await engine.stop();
  } catch (error) {
    const { cause } = error as Error;
    if (!(cause instanceof OpenFailure) || cause.reason === "locked") throw error;
  }
  return moveToQuarantine(join(dataDir, columnsFolder), dataDir);
}

async function chooseFolder(dataDir: string, wanted: string | undefined): Promise<string> {
  const stores = await listQuarantined(dataDir);
  const named = await listQuarantineFolders(dataDir);
  if (named.length === 0) {
    throw new StoreRefused(`There is no quarantine folder in ${dataDir}: nothing to restore.`);
  }
  const chosen = wanted ?? (stores.length === 0 ? named[0] : stores[0])!;
  if (!named.includes(chosen)) {
    throw new StoreRefused(`There is no ${wanted} in ${dataDir}. Choose one of: ${named.join(", ")}.`);
  }
  if (!stores.includes(chosen)) {
    throw new StoreRefused(`${chosen} holds no column store. It was left as it is.`);
  }
  if (wanted === undefined && stores.length > 1) {
    throw new StoreRefused(
      `There are several stores to restore. Name one: npm run restore-quarantine ${stores[0]} (also: ${stores.slice(1).join(", ")}).`,
    );
  }
  return chosen;
}

const damagedPartsNamedMax = 20;

/** A store that opens can still have parts that cannot be read. */
function refuseDamaged({ folder }: OpenStore, damaged: readonly DamagedPartFolder[]): void {
  if (damaged.length === 0) return;
  const named = damaged
    .slice(0, damagedPartsNamedMax)
    .map(({ table, part, path }) => `  ${table} ${part}: ${path}`);
  const rest = damaged.length - named.length;
  throw new StoreRefused(
    [
      `${folder} has damaged parts that cannot be read:`,
      ...named,
      ...(rest === 0 ? [] : [`  and ${rest} more`]),
      "Nothing was copied or renamed. Put a backup of these folders in place. Without a backup their rows are lost: move the folders out of the data folder, then run npm run restore-quarantine to restore the others.",
    ].join("\n"),
  );
}

/** The parts stay in the store's folder. */
async function leaveOut(
  { client }: OpenStore,
  damaged: readonly DamagedPartFolder[],
  progress: (line: string) => void,
): Promise<number> {
  for (const { table, part, path } of damaged) {
    progress(`  Leaving out ${table} ${part}, which is damaged: ${path}`);
    // A part's name cannot be a parameter.
    await client.command(`ALTER TABLE ${table} DETACH PART '${part}'`);
  }
  return damaged.length;
}

async function openStore(dataDir: string, folder: string, log: StoreLog): Promise<OpenStore> {
  const timing = { lockedMax: lockedMsMax };
  const options = { dataDir, folder, memoryBytesMax, limits, timing, movesDamaged: false };
  const engine = await startEngine(options, log);
  try {
    const client = connectColumns({ ...toLogins(engine.address()!), limits });
    await migrateColumns(client, { cluster: undefined, lock: noSchemaLock }, log);
    return { folder, engine, client, profiles: await countProfiles(client) };
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

async function countProfiles(client: ColumnClient): Promise<number> {
  const [{ profiles = 0 } = {}] = await client.query(profileCount, {});
  return profiles;
}

async function close(opened: OpenStore[]): Promise<void> {
  for (const { engine, client } of opened.splice(0)) {
    await client.close();
    await engine.stop();
  }
}

interface MergeTask {
  readonly source: OpenStore;
  readonly target: OpenStore;
  readonly insertBytesMax?: number | undefined;
  readonly progress: (line: string) => void;
}

/** Copies the source's rows and recounts the roll-ups of every day that this changes. */
async function mergeAndRecount({ source, target, insertBytesMax, progress }: MergeTask): Promise<Copied> {
  const days = await daysOf(source.client);
  const recount = (what: string) =>
    recountDays(target.client, days, (done) => progress(`  ${what}: ${done} of ${days.length} days`));
  await recount("totals before copying");
  const copied = await copyRows({
    source: source.client,
    target: target.client,
    insertBytesMax,
    progress,
  });
  await recount("totals after copying");
  return copied;
}

/** Returns the new name of the store whose rows are in the other one now. */
function rename(dataDir: string, folder: string, source: string): string {
  const leftover = freeName(dataDir, `merged-${source}`);
  renameSync(join(dataDir, source), join(dataDir, leftover));
  // After a kill before the next line there is no store named `columns`: the next run creates an empty one and restores this one.
  if (source === columnsFolder) renameSync(join(dataDir, folder), join(dataDir, columnsFolder));
  return leftover;
}

function freeName(dataDir: string, name: string): string {
  for (let number = 1; ; number++) {
    const free = `${name}-${number}`;
    if (!existsSync(join(dataDir, free))) return free;
  }
}

const profileCount = maintenanceQuery({
  name: "restore.profiles",
  sql: "SELECT count() AS profiles FROM profiles",
  params: z.object({}),
  row: z.object({ profiles: Count }),
});

/** A part of a table whose bytes changed after they were written. */
interface DamagedPartFolder {
  readonly table: string;
  readonly part: string;
  /** Folder of the part. */
  readonly path: string;
}

/** Reads every file of every table and compares the checksums. Changes nothing. */
async function findDamagedParts(client: ColumnClient): Promise<DamagedPartFolder[]> {
  const parts = await client.query(activeParts, {});
  const damaged: DamagedPartFolder[] = [];
  for (const table of new Set(parts.map((part) => part.table))) {
    const failed = (await client.query(tableCheck(table), {})).filter(({ isPassed }) => isPassed === 0);
    for (const { part } of failed) {
      const path = parts.find((each) => each.table === table && each.part === part)?.path ?? "";
      damaged.push({ table, part, path });
    }
  }
  return damaged;
}

const activeParts = maintenanceQuery({
  name: "restore.parts",
  sql: `SELECT table, name AS part, path FROM system.parts
        WHERE database = currentDatabase() AND active ORDER BY table, name`,
  params: z.object({}),
  row: z.object({ table: z.string().regex(/^\w+$/), part: z.string(), path: z.string() }),
});

/** A table's name cannot be a parameter of CHECK TABLE. */
function tableCheck(table: string) {
  return maintenanceQuery({
    name: `restore.check.${table}`,
    sql: `CHECK TABLE ${table}`,
    params: z.object({}),
    row: z
      .object({ part_path: z.string().regex(/^\w+(-\w+)*$/), is_passed: z.int() })
      .transform(({ part_path, is_passed }) => ({ part: part_path, isPassed: is_passed })),
  });
}
