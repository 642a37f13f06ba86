import { statfsSync } from "node:fs";
import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { deepestCause, isLockFault, storageFaultOf } from "./storage-fault.ts";
import { StoreRefused } from "./unavailable.ts";

type Kind = "file" | "folder";

/** With less free space the column store's engine refuses inserts: merges of existing parts still need room. */
export const freeDiskBytesMin = 268_435_456;

/** Creates the folder and its parents. Throws StoreRefused if it cannot be created or written. */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code = "unknown error" } = cause as NodeJS.ErrnoException;
    const words = `The data folder ${dataDir} cannot be written (${code}). Give it to this user or set DATA_DIR.`;
    throw new StoreRefused(words, { cause });
  }
}

/** Creates the folder and its parents. Node's recursive `mkdir` never returns if the system refuses new folders, as in /proc. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await isFolder(path))) return;
    if (code !== "ENOENT" || (await isFolder(dirname(path)))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

/** Undefined if nothing exists there. */
async function isFolder(path: string): Promise<boolean | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory();
}

/**
 * Opens a file or folder of the data folder. If the disk, the file or its permissions prevent that, throws a
 * StoreRefused that names the path and the remedy; rethrows any other error.
 */
export async function openAt<T>(path: string, kind: Kind, open: () => T | Promise<T>): Promise<T> {
  const isOther = (await isFolder(path)) === (kind === "file");
  if (isOther) throw new StoreRefused(`${path} must be a ${kind}. Move it away, or ${anotherFolder}.`);
  try {
    return await open();
  } catch (cause) {
    const words = refusal(path, cause);
    throw words === undefined ? cause : new StoreRefused(words, { cause });
  }
}

interface DiskFault {
  readonly code?: string;
  readonly message: string;
  readonly path?: string;
}

const anotherFolder = "set DATA_DIR to another folder";

function refusal(path: string, error: unknown): string | undefined {
  if (error instanceof StoreRefused) return undefined;
  const root = deepestCause(error);
  const { code = "", message, path: at = "" } = root as DiskFault;
  const fault = storageFaultOf(root);
  if (fault === "full") return diskIsFull(path);
  if (fault === "damaged") {
    return `${path} is damaged, or no database of Flamekeep. Put a backup in its place, move it away to start with an empty one, or ${anotherFolder}.`;
  }
  if (isLockFault(root)) {
    return `${path} cannot be locked (${message}), because its file system has no locks. Mount it with locks (NFS from version 4 on), or set DATA_DIR to a folder on a local disk.`;
  }
  if (fault === "unusable") return notOurs(path, message);
  // A missing file of the program itself is not a fault of the data folder.
  return at.startsWith(dirname(path)) && /^E[A-Z]+$/.test(code) ? notOurs(at, code) : undefined;
}

export function notOurs(path: string, reason: string): string {
  return `${path} cannot be used (${reason}). Give it to this user, or ${anotherFolder}.`;
}

/** The message for an operator whose disk is full. */
export function diskIsFull(path: string): string {
  return `The disk that holds ${path} is full${freeText(path)}: as many bytes as DISK_RESERVE_BYTES says (256 MiB by default) must be free. Make room there, or ${anotherFolder}.`;
}

/** ` (12.3 MiB are free)`; empty if the file system does not say. */
function freeText(path: string): string {
  try {
    const { bavail, bsize } = statfsSync(path);
    return ` (${((bavail * bsize) / 2 ** 20).toFixed(1)} MiB are free)`;
  } catch {
    return "";
  }
}

/** For a promise that fails where there is no such file. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
