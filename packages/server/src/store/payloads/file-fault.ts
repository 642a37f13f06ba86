/**
 * Why a day's file cannot be used: `busy`, another program has it locked; `full`, the disk has no room; `damaged`, its
 * content is not what SQLite wrote; `unwritable`, anything else, such as a read-only file or a folder in its place.
 */
export type FileFault = "busy" | "full" | "damaged" | "unwritable";

/** SQLite's primary result codes (https://www.sqlite.org/rescode.html). */
const faultOfCode: ReadonlyMap<number, FileFault> = new Map([
  [5, "busy"],
  [6, "busy"],
  [11, "damaged"],
  [13, "full"],
  [26, "damaged"],
]);
const fullSystemCodes: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

export function faultOf(error: unknown): FileFault {
  const { code = "", errcode = 0 } = error as { code?: string; errcode?: number };
  if (fullSystemCodes.has(code)) return "full";
  return faultOfCode.get(errcode & 0xff) ?? "unwritable";
}
