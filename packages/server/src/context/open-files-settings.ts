import { choice, MiB, whole } from "./setting-values.ts";

/** How anyone may open profile files. */
export const openFiles = {
  OPEN_FILES: choice(["on", "off"], "off").meta({
    description:
      "`on`: anyone may open a profile file at `/open` without an account. Each file gets links that nobody can guess, which work for a day: [files without an account](../sending.md#files-without-an-account)",
  }),
  OPEN_FILES_MAX_BYTES: whole(1024, 1024 * MiB, 8 * MiB).meta({
    description: "largest file that is opened without an account; at most `INGEST_MAX_BYTES`",
  }),
  OPEN_FILES_STORED_BYTES: whole(MiB, Number.MAX_SAFE_INTEGER, 1024 * MiB).meta({
    description: "stored bytes of all files that were opened without an account; beyond it they are refused",
  }),
};

export interface OpenFilesConfig {
  readonly sizeBytesMax: number;
  readonly storedBytesMax: number;
}

interface Given {
  readonly OPEN_FILES: "on" | "off";
  readonly OPEN_FILES_MAX_BYTES: number;
  readonly OPEN_FILES_STORED_BYTES: number;
  readonly INGEST_MAX_BYTES: number;
}

/** Undefined: nobody may open a file without an account. */
export function openFilesConfigOf(given: Given): OpenFilesConfig | undefined {
  if (given.OPEN_FILES === "off") return undefined;
  return {
    sizeBytesMax: Math.min(given.OPEN_FILES_MAX_BYTES, given.INGEST_MAX_BYTES),
    storedBytesMax: given.OPEN_FILES_STORED_BYTES,
  };
}
