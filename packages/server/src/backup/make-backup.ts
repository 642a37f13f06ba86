import { existsSync } from "node:fs";
import { access, constants, link, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import type { Config } from "#config";
import { uploadsFolder } from "#store/payloads/payload-log.ts";
import { syncFolder } from "#store/payloads/segment-file.ts";
import { storageFaultOf } from "#store/storage-fault.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { copyFile, forEachFile, ignoreMissing, linkTree, listTree } from "./file-trees.ts";
import { type BackedUpFile, type Manifest, newManifest, readManifest, writeManifest } from "./manifest.ts";

const columnsFolder = "columns";
const rowsFile = "flamekeep.sqlite";
/** Files of the data folder that the server does not make again. */
const smallFiles = ["auth-secret", "stores.json"];
/** In the data folder while a backup runs, with the id of its process. */
const linksFolder = /^backup-links-(\d+)$/;
const noHardLinks: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
/** The column store keeps parts that were merged for a minute. */
const linkingMsMax = 50_000;
const backupName = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z(\.part)?$/;
const unfinishedSuffix = ".part";

export interface BackupOptions {
  readonly config: Pick<Config, "dataDir" | "columns" | "rows" | "authSecret">;
  readonly version: string;
  /** The folder of all backups of this server. */
  readonly to: string;
  /** Complete backups that stay, the new one included; by default all. */
  readonly keep?: number | undefined;
  readonly now?: Date;
}

export interface BackupMade {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  /** Bytes of files that are the same in the backup before, and take no further space. */
  readonly sharedBytes: number;
  /** Names of earlier backups that were removed. */
  readonly removed: readonly string[];
}

/**
 * Copies the data folder of a server, which may run. The backup has everything that was acknowledged before: first the column store,
 * then the upload log, from which a start makes the rows that are missing (docs/backups.md). Throws StoreRefused. A backup that fails
 * leaves nothing behind.
 */
export async function makeBackup(options: BackupOptions): Promise<BackupMade> {
  const { config, to, now = new Date() } = options;
  await refuseUnusable(options);
  const links = await beginLinks(config.dataDir);
  const folder = join(to, now.toISOString().replace(/\.\d+/, "").replaceAll(":", "-"));
  const unfinished = `${folder}${unfinishedSuffix}`;
  try {
    for (const name of await backupsIn(to, { isFinished: false }))
      await rm(join(to, name), { recursive: true });
    await mkdir(unfinished, { mode: 0o700 });
    await linkStores(config, links);
    if (config.rows.kind === "sqlite") copyRows(config.rows.file, join(links, rowsFile));
    const before = (await backupsIn(to)).at(-1);
    const { files, symbolicLinks, sharedBytes } = await copyAll(
      links,
      unfinished,
      before && join(to, before),
    );
    await writeManifest(
      unfinished,
      newManifest({
        version: options.version,
        begunAt: now.toISOString(),
        columns: config.columns.kind,
        rows: config.rows.kind,
        isSecretInSettings: config.authSecret !== undefined,
        files: [...files],
        links: symbolicLinks,
      }),
    );
    await syncFolder(unfinished);
    await rename(unfinished, folder);
    await syncFolder(to);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return { folder, files: files.length, bytes, sharedBytes, removed: await removeOld(to, options.keep) };
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    if (storageFaultOf(cause) !== "full") throw cause;
    throw new StoreRefused(
      `The disk of ${to} is full: make room there, or remove earlier backups with --keep.`,
      {
        cause,
      },
    );
  } finally {
    await rm(links, { recursive: true, force: true });
  }
}

async function refuseUnusable({ config: { dataDir }, to }: BackupOptions): Promise<void> {
  if (!existsSync(dataDir))
    throw new StoreRefused(`There is no data folder at ${dataDir}; set DATA_DIR to the server's.`);
  if (`${resolve(to)}${sep}`.startsWith(`${resolve(dataDir)}${sep}`))
    throw new StoreRefused(
      `${to} is in the data folder: choose a folder outside of it, best on another disk, so that a lost disk does not take both.`,
    );
  const former = await readdir(join(dataDir, "payloads")).catch(() => []);
  if (former.length > 0)
    throw new StoreRefused(
      `${join(dataDir, "payloads")} has uploads of an early version, which a start of the server moves into ${uploadsFolder}/. Start the server once, then back up.`,
    );
  try {
    await mkdir(to, { recursive: true, mode: 0o700 });
    await access(to, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StoreRefused(
      `${to} cannot be written (${code}). Give it to this user, or choose another folder.`,
      { cause },
    );
  }
}

/** Makes a folder for hard links in the data folder: they need the same file system. An interrupted backup has left one. */
async function beginLinks(dataDir: string): Promise<string> {
  for (const name of await readdir(dataDir)) {
    const owner = linksFolder.exec(name)?.[1];
    if (owner === undefined) continue;
    if (Number(owner) !== process.pid && isRunning(Number(owner)))
      throw new StoreRefused(`Another backup of ${dataDir} runs: wait for it, or stop process ${owner}.`);
    await rm(join(dataDir, name), { recursive: true });
  }
  const links = join(dataDir, `backup-links-${process.pid}`);
  await mkdir(links, { mode: 0o700 });
  return links;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Linked files stay as they are, except those of the upload log: the server appends to them. */
async function linkStores({ dataDir, columns }: BackupOptions["config"], links: string): Promise<void> {
  const begunMs = performance.now();
  try {
    if (columns.kind === "embedded") await linkTree(join(dataDir, columnsFolder), join(links, columnsFolder));
    await linkTree(join(dataDir, uploadsFolder), join(links, uploadsFolder));
  } catch (cause) {
    if (!noHardLinks.has((cause as NodeJS.ErrnoException).code ?? "")) throw cause;
    throw new StoreRefused(
      `The file system of ${dataDir} has no hard links, which a backup of a running server needs: take a snapshot of the disk, or stop the server and copy the folder.`,
      { cause },
    );
  }
  if (performance.now() - begunMs > linkingMsMax)
    throw new StoreRefused(
      `The disk of ${dataDir} is too slow for a backup of a running server: linking the files took more than ${linkingMsMax / 1000} s. Take a snapshot of the disk, or stop the server and copy the folder.`,
    );
  for (const name of smallFiles) await link(join(dataDir, name), join(links, name)).catch(ignoreMissing);
}

function copyRows(from: string, to: string): void {
  using database = new DatabaseSync(from, { readOnly: true });
  database.prepare("VACUUM INTO ?").run(to);
}

interface CopiedTree {
  readonly files: readonly BackedUpFile[];
  readonly symbolicLinks: Manifest["links"];
  readonly sharedBytes: number;
}

/** @param before the folder of the backup before this one, with which files are shared */
async function copyAll(from: string, to: string, before: string | undefined): Promise<CopiedTree> {
  const tree = await listTree(from);
  const known = before === undefined ? undefined : await readManifest(before).catch(() => undefined);
  const knownFiles = new Map(known?.files.map((file) => [file.path, file]));
  const files: BackedUpFile[] = [];
  let sharedBytes = 0;
  await forEachFile(tree.files, async (path) => {
    const { size, mtimeMs } = await stat(join(from, path));
    const same = knownFiles.get(path);
    if (
      same?.bytes === size &&
      same.modifiedMs === mtimeMs &&
      (await share(join(before!, path), join(to, path)))
    ) {
      files.push(same);
      sharedBytes += size;
    } else files.push({ path, modifiedMs: mtimeMs, ...(await copyFile(join(from, path), join(to, path))) });
  });
  const folders = new Set(tree.files.map((path) => dirname(join(to, path))));
  for (const folder of folders) await syncFolder(folder);
  return { files, symbolicLinks: [...tree.links], sharedBytes };
}

/** Returns whether the file is shared now: it may be missing in the backup before, or have as many links as a file can have. */
async function share(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  return link(from, to).then(
    () => true,
    () => false,
  );
}

async function removeOld(to: string, keep = Number.POSITIVE_INFINITY): Promise<string[]> {
  const old = (await backupsIn(to)).slice(0, -keep);
  for (const name of old) await rm(join(to, name), { recursive: true });
  return old;
}

/** Names of the backups, the latest at the end. */
async function backupsIn(to: string, { isFinished = true } = {}): Promise<string[]> {
  const names = (await readdir(to)).filter((name) => backupName.test(name));
  return names.filter((name) => name.endsWith(unfinishedSuffix) !== isFinished).sort();
}
