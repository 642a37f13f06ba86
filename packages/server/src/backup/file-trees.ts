/** Hard links of folders that a running server changes, and verified copies of files. */
import { execFile } from "node:child_process";
import { createHash, hash } from "node:crypto";
import { type Dirent, readFileSync, statSync, writeFileSync } from "node:fs";
import { link, mkdir, open, readdir, readlink, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { ignoreMissing } from "#store/data-folder.ts";
import { syncFolder } from "#store/payloads/segment-file.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { type SymbolicLink, staysInside } from "./manifest.ts";

const copyBytes = 1024 * 1024;
const syncedBytesMin = 4 * 1024 * 1024;

export interface FileTree {
  /** All relative to the root; each folder after its parent. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly symbolicLinks: readonly SymbolicLink[];
}

/** The column store's own names for folders that a start removes: inserts and merges that are not finished, and parts that are being removed. */
const unfinished = /^(?:delete_)?tmp[_-]/;
/** Every part of a table has this file. */
export const partFile = "checksums.txt";

/**
 * Hard links all files below `from`, in moments. Leaves out what vanishes meanwhile; of a part of a table it leaves out the whole: its
 * rows were merged into another part, which existed before.
 */
export async function linkTree(from: string, to: string): Promise<void> {
  const entries = await entriesOf(from).catch(ignoreMissing);
  if (entries === undefined) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  const isPart = entries.some(({ name }) => name === partFile);
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (!unfinished.test(entry.name)) await linkTree(source, target);
    } else if (!(await linkEntry(entry, source, target)) && isPart) {
      await rm(to, { recursive: true });
      return;
    }
  }
}

/** Returns whether the file was still there. */
async function linkEntry(entry: Dirent, source: string, target: string): Promise<boolean> {
  const linking = entry.isSymbolicLink()
    ? readlink(source).then((to) => symlink(to, target))
    : link(source, target);
  return (await linking.then(() => true).catch(ignoreMissing)) ?? false;
}

/** Throws StoreRefused for a symbolic link that leads out of the tree: the files there would be missing. */
export async function listTree(root: string): Promise<FileTree> {
  const folders: string[] = [];
  const files: string[] = [];
  const symbolicLinks: SymbolicLink[] = [];
  const add = async (folder: string): Promise<void> => {
    for (const entry of await entriesOf(join(root, folder))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        folders.push(path);
        await add(path);
      } else if (entry.isSymbolicLink()) symbolicLinks.push(await linkAt(root, path));
      else files.push(path);
    }
  };
  await add("");
  return { folders, files, symbolicLinks };
}

async function linkAt(root: string, path: string): Promise<SymbolicLink> {
  const target = await readlink(join(root, path));
  if (staysInside(path, target)) return { path, target };
  throw new StoreRefused(
    `${path} of the data folder is a symbolic link to ${target}, whose files would be missing in the backup. Move the files into the data folder, or back up both disks with a snapshot.`,
  );
}

/**
 * Makes copied files and their names durable. One sync of the file system takes as long as that of a few files, where a column store has
 * thousands; without the program for it, each is synced.
 */
export async function syncTree(
  root: string,
  { folders, files }: Pick<FileTree, "folders" | "files">,
): Promise<void> {
  if (await syncFileSystem(root)) return;
  await forEachFile(files, (path) => syncFile(join(root, path)));
  for (const folder of folders.toReversed()) await syncFolder(join(root, folder));
  await syncFolder(root);
}

/** Node has no call for it. Elsewhere the program has no such option, and would not wait. */
async function syncFileSystem(path: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  return promisify(execFile)("sync", ["-f", path]).then(
    () => true,
    () => false,
  );
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.datasync();
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export interface Copied {
  readonly bytes: number;
  readonly sha256: string;
}

/** Copies the bytes that the file has now: the server may be appending to it. Follow with `syncTree`. */
export async function copyWhole(from: string, to: string): Promise<Copied> {
  // Most files are small: handing each step of them to a thread takes longer than the step.
  if (statSync(from).size <= copyBytes) return copySmall(from, to);
  await using target = await open(to, "wx", 0o600);
  const copied = await readAll(from, (part) => target.writeFile(part));
  // Large files are written while others are copied, and not all at the end.
  if (copied.bytes >= syncedBytesMin) await target.datasync();
  return copied;
}

function copySmall(from: string, to: string): Copied {
  const content = readFileSync(from);
  writeFileSync(to, content, { flag: "wx", mode: 0o600 });
  return { bytes: content.length, sha256: hash("sha256", content) };
}

/** Reads the file as long as it is at the beginning, and hands its parts on. */
export async function readAll(
  path: string,
  take: (part: Uint8Array) => Promise<void> = async () => {},
): Promise<Copied> {
  await using source = await open(path, "r");
  const { size: bytes } = await source.stat();
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafeSlow(Math.min(copyBytes, Math.max(1, bytes)));
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, bytes - at), at);
    if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`);
    const part = buffer.subarray(0, bytesRead);
    hash.update(part);
    await take(part);
    at += bytesRead;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** Most files are small, and wait for the disk. */
export const filesAtOnce = 4;

/** Runs the task for each item, some at the same time. After a failure no other begins; rejects once all have ended. */
export async function forEachFile<T>(
  items: readonly T[],
  task: (item: T) => Promise<void>,
  atOnce = filesAtOnce,
): Promise<void> {
  const next = items.values();
  let failure: { readonly cause: unknown } | undefined;
  const worker = async () => {
    for (const item of next) {
      if (failure !== undefined) return;
      await task(item).catch((cause: unknown) => {
        failure ??= { cause };
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failure !== undefined) throw failure.cause;
}
