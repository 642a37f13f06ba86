/**
 * Why a file or folder cannot be used: `busy`, another program has it locked; `full`, the disk has no room; `damaged`, its
 * content is not what SQLite wrote; `unusable`, it is read-only, belongs to another user or cannot be read.
 */
export type StorageFault = "busy" | "full" | "damaged" | "unusable";

/** SQLite's primary result codes (https://www.sqlite.org/rescode.html). */
const faultOfSqlite: ReadonlyMap<number, StorageFault> = new Map([
  [3, "unusable"],
  [5, "busy"],
  [6, "busy"],
  [8, "unusable"],
  [10, "unusable"],
  [11, "damaged"],
  [13, "full"],
  [14, "unusable"],
  [26, "damaged"],
]);

/** System error codes, and ClickHouse's NOT_ENOUGH_SPACE. */
const fullCodes: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "243"]);

/** The file system is read-only, possibly because of an error of its disk. */
const unusableCodes: ReadonlySet<string> = new Set(["EROFS", "EIO"]);

/** ClickHouse reports these under several codes, with the text of strerror(3). */
const unusableTexts = /Read-only file system|Input\/output error/;

/** Undefined for errors of other origin. */
export function storageFaultOf(error: unknown): StorageFault | undefined {
  const {
    code = "",
    errcode = 0,
    message = "",
  } = Object(error) as { readonly code?: string; readonly errcode?: number; readonly message?: string };
  if (fullCodes.has(code)) return "full";
  if (unusableCodes.has(code)) return "unusable";
  if (/^\d+$/.test(code) && unusableTexts.test(message)) return "unusable";
  // The bits above the lowest byte only extend the primary code.
  return faultOfSqlite.get(errcode & 0xff);
}

/** SQLITE_IOERR_UNLOCK, _RDLOCK, _CHECKRESERVEDLOCK and _LOCK. */
const lockCodes: ReadonlySet<number> = new Set([2058, 2314, 3594, 3850]);

/** Whether the file system cannot lock a file. */
export function isLockFault(error: unknown): boolean {
  return lockCodes.has((Object(error) as { readonly errcode?: number }).errcode ?? 0);
}

/** The error at the end of a chain of causes. */
export function deepestCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? deepestCause(error.cause) : error;
}
