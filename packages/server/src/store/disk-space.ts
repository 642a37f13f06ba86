import { access, constants, stat, statfs, utimes } from "node:fs/promises";
import { deepestCause, storageFaultOf } from "./storage-fault.ts";
import { StoreFull } from "./unavailable.ts";

/** The disk that holds the data folder. */
export interface DiskSpace {
  /**
   * As measured at most about a second ago, less the bytes written since. Stays pending while the file system does not answer.
   */
  freeBytes(): Promise<number>;
  /**
   * Code of the system error that prevents writing to the folder, such as `EROFS`; undefined if it can be written. `ESTALE`:
   * another folder took its place, while the stores use the files of the old one.
   */
  writeFault(): Promise<string | undefined>;
  /** Call it before writing bytes; call the result when the bytes are on the disk or the write was given up. */
  startWrite(bytes: number): () => void;
  /** Space that uploads must leave free for merges, the removal of old days, sign-ins and logs. */
  readonly reserveBytes: number;
}

const ageMsMax = 1_000;

/**
 * Examines the folder in the background, at most once a second and only on demand: a mount that hangs must not stop the
 * thread that serves requests.
 */
export function openDiskSpace(
  folder: string,
  reserveBytes: number,
  read = freeBytesOf,
  elapsedMs = () => performance.now(),
  touch = setTimesToNow,
): DiskSpace {
  let writingBytes = 0;
  let writtenBytes = 0;
  const identity = identityOf(folder);
  // Node would report a failure that nobody has awaited yet.
  identity.catch(() => undefined);
  const measured = cachedRead(async () => {
    // The total of writes that finished before the measurement began, which therefore includes them.
    const before = writtenBytes;
    return { bytes: await read(folder), writtenBytes: before };
  }, elapsedMs);
  return {
    reserveBytes,
    async freeBytes() {
      const measurement = await measured();
      return measurement.bytes - writingBytes - (writtenBytes - measurement.writtenBytes);
    },
    writeFault: cachedRead(() => writeFaultOf(folder, identity, touch), elapsedMs),
    startWrite(bytes) {
      let isWriting = true;
      writingBytes += bytes;
      return () => {
        if (!isWriting) return;
        isWriting = false;
        writingBytes -= bytes;
        writtenBytes += bytes;
      };
    },
  };
}

/** Runs one read at a time; its result is used for a second. */
function cachedRead<T>(read: () => Promise<T>, elapsedMs: () => number): () => Promise<T> {
  let latest: { readonly result: T; readonly readAtMs: number } | undefined;
  let reading: Promise<T> | undefined;
  const refresh = async () => {
    const result = await read();
    latest = { result, readAtMs: elapsedMs() };
    return result;
  };
  return async () => {
    if (latest !== undefined && elapsedMs() - latest.readAtMs < ageMsMax) return latest.result;
    reading ??= refresh().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** The system refuses write access to a file system that is mounted read-only, even for root. */
async function writeFaultOf(
  folder: string,
  identity: Promise<string>,
  touch: (folder: string) => Promise<void>,
): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    await touch(folder);
    return (await identityOf(folder)) === (await identity) ? undefined : "ESTALE";
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    // Only the owner of a folder may set its times. Room is measured separately.
    return code === "EPERM" || storageFaultOf(error) === "full" ? undefined : code;
  }
}

async function identityOf(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return `${dev}:${ino}`;
}

/**
 * After an error of its disk, a file system may refuse every change although it is still mounted as writable: ext4 calls that
 * `emergency_ro`. Only a change shows it. This one leaves no file behind and needs no room.
 */
async function setTimesToNow(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now);
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Space left for uploads; negative if they have used a part of the reserve. */
export async function roomBytes({ freeBytes, reserveBytes }: DiskSpace): Promise<number> {
  return (await freeBytes()) - reserveBytes;
}

/** @param bytes size of the write that is about to begin */
export async function isFull(disk: DiskSpace, bytes = 0): Promise<boolean> {
  return (await roomBytes(disk)) < bytes;
}

/** Whether an operation failed because a disk is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof StoreFull || storageFaultOf(deepestCause(error)) === "full";
}
