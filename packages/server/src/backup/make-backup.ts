import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#config";
import { demoOrgId } from "#context";
import { hiddenData } from "#store/hidden-data.ts";
import { uploadsFolder } from "#store/payloads/segment-file.ts";
import { storageFaultOf } from "#store/storage-fault.ts";
import { StoreRefused } from "#store/unavailable.ts";
import {
  type Added,
  type BackupSource,
  type BackupTarget,
  type BackupWriter,
  backupNameAt,
} from "./backup-target.ts";
import { type FileTree, forEachFile, listTree } from "./file-trees.ts";
import { lockFolder } from "./folder-lock.ts";
import { copyRows, heldFolder, holdStores, refuseOtherFolder, rowsFile, secretIn } from "./hold-stores.ts";
import { type BackedUpFile, markOfSecret, newManifest } from "./manifest.ts";

export interface BackupOptions {
  readonly config: Pick<Config, "dataDir" | "columns" | "rows" | "authSecret">;
  readonly version: string;
  /** The place of all backups of this server. */
  readonly to: BackupTarget;
  /** Complete backups that stay, the new one included; by default all. */
  readonly keep?: number | undefined;
  readonly now?: Date;
  /** Called once the files are held: from then on the backup may take its time. */
  readonly onHeld?: () => void;
}

export interface BackupMade {
  /** The folder or address of the backup. */
  readonly place: string;
  readonly files: number;
  readonly bytes: number;
  /** Bytes of files that were there before, and take no further space. */
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
  const { config, to, keep = Number.POSITIVE_INFINITY, now = new Date() } = options;
  const secretMark = await refuseUnusable(config);
  using _data = lockFolder(config.dataDir);
  await using locked = await to.lock(config.dataDir);
  const name = backupNameAt(now);
  const before = (await to.names()).at(-1);
  if (before !== undefined && before >= name)
    throw new StoreRefused(
      `${to.place} has the backup ${before}, which is not older than this one. Correct the clock, or move that backup away.`,
    );
  const held = join(config.dataDir, heldFolder);
  let writer: BackupWriter | undefined;
  try {
    await rm(held, { recursive: true, force: true });
    await holdStores(config, held);
    options.onHeld?.();
    const tree = await listTree(held);
    writer = await locked.begin({ name, before, from: held, tree });
    const earlier = before === undefined ? [] : await filesOf(to.source(before));
    const written = await writeAll(writer, { held, tree, earlier, rows: config.rows });
    const manifest = newManifest({
      version: options.version,
      begunAt: now.toISOString(),
      columns: config.columns.kind,
      rows: config.rows.kind,
      isSecretInSettings: config.authSecret !== undefined,
      secretMark,
      files: written.files,
      symbolicLinks: [...tree.symbolicLinks],
    });
    await writer.finish(manifest);
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    const removed = await locked.clear(keep);
    const { place } = to.source(name);
    return { place, files: manifest.files.length, bytes, sharedBytes: written.sharedBytes, removed };
  } catch (cause) {
    await writer?.abandon();
    if (storageFaultOf(cause) !== "full") throw cause;
    throw new StoreRefused(
      `The disk of ${locked.disk} is full: make room there, for example by removing old backups.`,
      { cause },
    );
  } finally {
    await rm(held, { recursive: true, force: true });
  }
}

/** Returns the mark of the server's secret. */
async function refuseUnusable(config: BackupOptions["config"]): Promise<string> {
  const { dataDir } = config;
  refuseOtherFolder(config);
  const hidden = await hiddenData(config, demoOrgId);
  if (hidden.length > 0) throw new StoreRefused(`${hidden.join(".\n")}.`);
  const former = await readdir(join(dataDir, "payloads")).catch(() => []);
  if (former.length > 0)
    throw new StoreRefused(
      `${join(dataDir, "payloads")} has uploads of an early version, which a start of the server moves into ${uploadsFolder}/. Start the server once, then back up.`,
    );
  return markOfSecret(config.authSecret ?? (await secretIn(dataDir)));
}

/** None if the backup is damaged: then all files are written again. */
async function filesOf(backup: BackupSource): Promise<readonly BackedUpFile[]> {
  try {
    return (await backup.manifest()).files;
  } catch (error) {
    if (error instanceof StoreRefused) return [];
    throw error;
  }
}

interface Writing {
  readonly held: string;
  readonly tree: FileTree;
  /** The files of the backup before. */
  readonly earlier: readonly BackedUpFile[];
  readonly rows: BackupOptions["config"]["rows"];
}

async function writeAll(writer: BackupWriter, { held, tree, earlier, rows }: Writing) {
  const earlierFiles = new Map(earlier.map((file) => [file.path, file]));
  const files: BackedUpFile[] = [];
  let sharedBytes = 0;
  const note = (path: string, modifiedMs: number, { isShared, ...copied }: Added) => {
    files.push({ path, modifiedMs, ...copied });
    if (isShared) sharedBytes += copied.bytes;
  };
  if (rows.kind === "sqlite") {
    const added = await writer.addMade(rowsFile, (to) => copyRows(rows.file, to));
    note(rowsFile, Date.now(), added);
  }
  const write = async (path: string) => {
    const { size, mtimeMs } = await stat(join(held, path));
    const same = earlierFiles.get(path);
    const isSame = same?.bytes === size && same.modifiedMs === mtimeMs;
    if (isSame && (await writer.share(same))) note(path, mtimeMs, { ...same, isShared: true });
    else note(path, mtimeMs, await writer.add(path));
  };
  await forEachFile(tree.files, write, writer.atOnce);
  return { files, sharedBytes };
}
