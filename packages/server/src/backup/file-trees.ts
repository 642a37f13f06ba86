/** Hard links of folders that a running server changes, and verified copies of files. */
import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { link, mkdir, open, readdir, readlink, rm, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

const copyBytes = 1024 * 1024;

export interface FileTree {
  /** Relative to the root, in the order of their folders. */
  readonly files: readonly string[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

/** The column store's own names for folders that a start removes: inserts and merges that are not finished, and parts that are being removed. */
const unfinished = /^(?:delete_)?tmp[_-]/;
/** Every part of a table has this file. */
const partFile = "checksums.txt";

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

/** For a promise that fails where there is no such file. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

export async function listTree(root: string): Promise<FileTree> {
  const files: string[] = [];
  const links: { path: string; target: string }[] = [];
  const add = async (folder: string): Promise<void> => {
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await add(path);
      else if (entry.isSymbolicLink())
        links.push({ path: relative(root, path), target: await readlink(path) });
      else files.push(relative(root, path));
    }
  };
  await add(root);
  return { files, links };
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export interface Copied {
  readonly bytes: number;
  readonly sha256: string;
}

/** Copies what the file has now: the server may be appending to it. The copy is on disk when this resolves. */
export async function copyFile(from: string, to: string): Promise<Copied> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await using target = await open(to, "wx", 0o600);
  const copied = await readAll(from, (part) => target.writeFile(part));
  await target.datasync();
  return copied;
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

/** Files that are handled at the same time: most are small, and wait for the disk. */
const atOnce = 4;

/** Runs the task for each item, some at the same time. After a failure no other begins; rejects once all have ended. */
export async function forEachFile<T>(items: readonly T[], task: (item: T) => Promise<void>): Promise<void> {
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
