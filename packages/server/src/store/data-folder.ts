import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { deepestCause } from "./deepest-cause.ts";
import { StoreRefused } from "./refused.ts";
import { storageFaultOf } from "./storage-fault.ts";

type Kind = "file" | "folder";

/** With less the column store's engine takes nothing in: what it has must still fit when it is merged. */
export const freeDiskBytesMin = 268_435_456;

/** Makes the folder with those above it. Throws StoreRefused where it cannot be made or written. */
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

/** Node's own way of making the folders above never ends where the system takes no folder, as in /proc. */
async function makeFolder(path: string): Promise<void> {
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

/** Undefined where there is nothing. */
async function isFolder(path: string): Promise<boolean | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory();
}

/**
 * Opens what lies at `path`, in the data folder. Where the disk or what lies there makes that impossible it throws a
 * StoreRefused that names the path and what to change; any other fault is thrown as it is.
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
    return `${path} is damaged, or no database of Flamekeep. Put a backup in its place, move it away to begin anew, or ${anotherFolder}.`;
  }
  if (fault === "unusable") return notOurs(path, message);
  // A file of the program that is missing is no fault of the data folder.
  return at.startsWith(dirname(path)) && /^E[A-Z]+$/.test(code) ? notOurs(at, code) : undefined;
}

export function notOurs(path: string, reason: string): string {
  return `${path} cannot be used (${reason}). Give it to this user, or ${anotherFolder}.`;
}

/** What to tell where the disk of `path` is full. */
export function diskIsFull(path: string): string {
  return `The disk that holds ${path} is full: as many bytes as DISK_RESERVE_BYTES says (256 MiB by default) must be free. Make room there, or ${anotherFolder}.`;
}
