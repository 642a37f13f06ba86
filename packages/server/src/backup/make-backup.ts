import { access, constants, link, mkdir, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Config } from "#config";
import { demoOrgId } from "#context";
import { hiddenData } from "#store/hidden-data.ts";
import { uploadsFolder } from "#store/payloads/payload-log.ts";
import { syncFolder } from "#store/payloads/segment-file.ts";
import { storageFaultOf } from "#store/storage-fault.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { copyWhole, forEachFile, listTree, readAll, syncTree } from "./file-trees.ts";
import { lockFolder } from "./folder-lock.ts";
import { copyRows, heldFolder, holdStores, refuseOtherFolder, rowsFile, secretIn } from "./hold-stores.ts";
import {
  type BackedUpFile,
  markOfSecret,
  newManifest,
  readManifest,
  type SymbolicLink,
  writeManifest,
} from "./manifest.ts";

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
  /** Called once the files are held: from then on the backup may take its time. */
  readonly onHeld?: () => void;
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
 * then the upload log, from which a start makes the rows that are missing (docs/backups.md). Throws StoreRefused. The next backup removes
 * what an interrupted one has left.
 */
export async function makeBackup(options: BackupOptions): Promise<BackupMade> {
  const { config, to, now = new Date() } = options;
  const secretMark = await refuseUnusable(options);
  using _data = lockFolder(config.dataDir);
  using _backups = lockFolder(to);
  const name = now.toISOString().replace(/\.\d+/, "").replaceAll(":", "-");
  const latest = (await backupsIn(to)).at(-1);
  if (latest !== undefined && latest >= name)
    throw new StoreRefused(
      `${to} has the backup ${latest}, which is not older than this one. Correct the clock, or move that backup away.`,
    );
  const folder = join(to, name);
  const unfinished = `${folder}${unfinishedSuffix}`;
  const held = join(config.dataDir, heldFolder);
  try {
    await rm(held, { recursive: true, force: true });
    for (const left of await backupsIn(to, { isFinished: false }))
      await rm(join(to, left), { recursive: true });
    await mkdir(unfinished, { mode: 0o700 });
    await holdStores(config, held);
    options.onHeld?.();
    const rows =
      config.rows.kind === "sqlite" ? [await backUpRows(config.rows.file, join(unfinished, rowsFile))] : [];
    const { files, symbolicLinks, sharedBytes } = await copyAll(held, unfinished, latest && join(to, latest));
    const manifest = newManifest({
      version: options.version,
      begunAt: now.toISOString(),
      columns: config.columns.kind,
      rows: config.rows.kind,
      isSecretInSettings: config.authSecret !== undefined,
      secretMark,
      files: [...files, ...rows],
      symbolicLinks: [...symbolicLinks],
    });
    await writeManifest(unfinished, manifest);
    await syncFolder(unfinished);
    await rename(unfinished, folder);
    await syncFolder(to);
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    const removed = await removeOld(to, options.keep);
    return { folder, files: manifest.files.length, bytes, sharedBytes, removed };
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    if (storageFaultOf(cause) !== "full") throw cause;
    throw new StoreRefused(
      `The disk of ${to} is full: make room there, for example by removing old backups.`,
      {
        cause,
      },
    );
  } finally {
    await rm(held, { recursive: true, force: true });
  }
}

/** Returns the mark of the server's secret. */
async function refuseUnusable({ config, to }: BackupOptions): Promise<string> {
  const { dataDir } = config;
  refuseOtherFolder(config);
  const hidden = await hiddenData(config, demoOrgId);
  if (hidden.length > 0) throw new StoreRefused(`${hidden.join(".\n")}.`);
  const former = await readdir(join(dataDir, "payloads")).catch(() => []);
  if (former.length > 0)
    throw new StoreRefused(
      `${join(dataDir, "payloads")} has uploads of an early version, which a start of the server moves into ${uploadsFolder}/. Start the server once, then back up.`,
    );
  refuseInside(resolve(to), resolve(dataDir));
  try {
    await mkdir(to, { recursive: true, mode: 0o700 });
    await access(to, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StoreRefused(
      `${to} cannot be written (${code}). Give it to this user, or choose another folder.`,
      {
        cause,
      },
    );
  }
  refuseInside(await realpath(to), await realpath(dataDir));
  return markOfSecret(config.authSecret ?? (await secretIn(dataDir)));
}

function refuseInside(to: string, dataDir: string): void {
  if (!`${to}${sep}`.startsWith(`${dataDir}${sep}`)) return;
  throw new StoreRefused(
    `${to} is in the data folder: choose a folder outside of it, best on another disk, so that a lost disk does not take both.`,
  );
}

async function backUpRows(from: string, to: string): Promise<BackedUpFile> {
  await copyRows(from, to);
  return { path: rowsFile, modifiedMs: (await stat(to)).mtimeMs, ...(await readAll(to)) };
}

interface CopiedTree {
  readonly files: readonly BackedUpFile[];
  readonly symbolicLinks: readonly SymbolicLink[];
  /** Bytes of files that the backup before has too. */
  readonly sharedBytes: number;
}

/** @param before the folder of the backup before this one */
async function copyAll(from: string, to: string, before: string | undefined): Promise<CopiedTree> {
  const tree = await listTree(from);
  const earlier = before === undefined ? undefined : await readManifest(before).catch(() => undefined);
  const earlierFiles = new Map(earlier?.files.map((file) => [file.path, file]));
  for (const folder of tree.folders) await mkdir(join(to, folder), { mode: 0o700 });
  const files: BackedUpFile[] = [];
  let sharedBytes = 0;
  await forEachFile(tree.files, async (path) => {
    const { size, mtimeMs } = await stat(join(from, path));
    const same = earlierFiles.get(path);
    const isSame = same?.bytes === size && same.modifiedMs === mtimeMs;
    if (isSame && (await share(join(before!, path), join(to, path)))) {
      files.push(same);
      sharedBytes += size;
    } else files.push({ path, modifiedMs: mtimeMs, ...(await copyWhole(join(from, path), join(to, path))) });
  });
  await syncTree(to, tree);
  return { files, symbolicLinks: tree.symbolicLinks, sharedBytes };
}

/** Returns whether the file is shared now: it may be missing in the backup before, or have as many links as a file can have. */
function share(from: string, to: string): Promise<boolean> {
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
