import { access, constants, link, mkdir, readdir, realpath, rename, rm } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { ignoreMissing, makeFolder } from "#store/data-folder.ts";
import { syncFolder } from "#store/payloads/segment-file.ts";
import { StoreRefused } from "#store/unavailable.ts";
import {
  type BackupBeginning,
  type BackupSource,
  type BackupTarget,
  type BackupWriter,
  isBackupName,
} from "./backup-target.ts";
import { copyWhole, filesAtOnce, readAll, syncTree } from "./file-trees.ts";
import { lockFolder } from "./folder-lock.ts";
import { type ListedFile, readManifest, writeManifest } from "./manifest.ts";

const unfinishedSuffix = ".part";
const noResources = { [Symbol.dispose]: () => {} };

/** Each backup is a folder. Files that did not change are hard links to the backup before. */
export function folderTarget(to: string): BackupTarget {
  return {
    ...noResources,
    place: to,
    names: () => backupsIn(to),
    source: (name) => folderSource(join(to, name)),
    async lock(dataDir) {
      await refuseUnsuitable(to, dataDir);
      const lock = lockFolder(to);
      return {
        disk: to,
        begin: (beginning) => begin(to, beginning),
        async clear(keep) {
          const old = (await backupsIn(to)).slice(0, -keep);
          for (const name of old) await rm(join(to, name), { recursive: true });
          return old;
        },
        [Symbol.asyncDispose]: async () => lock[Symbol.dispose](),
      };
    },
  };
}

export function folderSource(folder: string): BackupSource {
  const read = (path: string, to: string | undefined) =>
    to === undefined ? readAll(join(folder, path)) : copyWhole(join(folder, path), to);
  return {
    ...noResources,
    place: folder,
    atOnce: filesAtOnce,
    manifest: () => readManifest(folder),
    read: ({ path }: ListedFile, to) => read(path, to).catch(ignoreMissing),
    nameOf: ({ path }) => path,
  };
}

async function begin(to: string, { name, before, from, tree }: BackupBeginning): Promise<BackupWriter> {
  const folder = join(to, name);
  const unfinished = `${folder}${unfinishedSuffix}`;
  for (const left of await backupsIn(to, unfinishedSuffix)) await rm(join(to, left), { recursive: true });
  await mkdir(unfinished, { mode: 0o700 });
  for (const path of tree.folders) await mkdir(join(unfinished, path), { mode: 0o700 });
  return {
    atOnce: filesAtOnce,
    // The file may be missing in the backup before, or have as many links as a file can have.
    share: ({ path }) =>
      link(join(to, before ?? "", path), join(unfinished, path)).then(
        () => true,
        () => false,
      ),
    async add(path) {
      return { ...(await copyWhole(join(from, path), join(unfinished, path))), isShared: false };
    },
    async addMade(path, make) {
      await make(join(unfinished, path));
      return { ...(await readAll(join(unfinished, path))), isShared: false };
    },
    async finish(manifest) {
      await syncTree(unfinished, tree);
      await writeManifest(unfinished, manifest);
      await syncFolder(unfinished);
      await rename(unfinished, folder);
      await syncFolder(to);
    },
    abandon: () => rm(unfinished, { recursive: true, force: true }),
  };
}

async function refuseUnsuitable(to: string, dataDir: string): Promise<void> {
  refuseInside(resolve(to), resolve(dataDir));
  try {
    await makeFolder(to);
    await access(to, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StoreRefused(
      `${to} cannot be written (${code}). Give it to this user, or choose another folder.`,
      { cause },
    );
  }
  refuseInside(await realpath(to), await realpath(dataDir));
}

function refuseInside(to: string, dataDir: string): void {
  if (!`${to}${sep}`.startsWith(`${dataDir}${sep}`)) return;
  throw new StoreRefused(
    `${to} is in the data folder: choose a folder outside of it, best on another disk, so that a lost disk does not take both.`,
  );
}

/** Names of the backups with the suffix, the latest at the end. */
async function backupsIn(to: string, suffix = ""): Promise<string[]> {
  const names = (await readdir(to).catch(ignoreMissing)) ?? [];
  return names
    .filter((name) => name.endsWith(suffix) && isBackupName(name.slice(0, name.length - suffix.length)))
    .sort();
}
