import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ignoreMissing } from "#store/data-folder.ts";
import type { StoreLog } from "#store/log.ts";
import { scan, uploadsFolder } from "./segment-file.ts";

/** Next to the folders of days: its uploads are kept only until their rows are stored. */
export const pendingFolder = "pending";

export interface PendingUploads {
  /** Those of a file stay until all of them are stored: some may be stored. */
  readonly uploads: number;
  readonly bytes: number;
}

/** Counts the uploads that only the log of a data folder may have. Changes nothing: a server may use the folder. */
export async function pendingUploads(dataDir: string): Promise<PendingUploads> {
  const folder = join(dataDir, uploadsFolder, pendingFolder);
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  let [uploads, bytes] = [0, 0];
  for (const name of names.filter((each) => each.endsWith(".log"))) {
    const found = scanned(join(folder, name));
    uploads += found?.offsets.size ?? 0;
    bytes += found?.summary.bytes ?? 0;
  }
  return { uploads, bytes };
}

/** For a server that stops, maybe for good. */
export async function reportPending(dataDir: string, log: StoreLog): Promise<void> {
  const { uploads, bytes } = await pendingUploads(dataDir);
  if (uploads === 0) return;
  log.warn(
    { uploads, bytes, dataDir },
    "acknowledged uploads are only in the log of this data folder: the next start with this DATA_DIR stores them, so keep the folder until then",
  );
}

/** Undefined for a file that the server has removed meanwhile. */
function scanned(path: string): ReturnType<typeof scan> | undefined {
  try {
    return scan(path);
  } catch (error) {
    return ignoreMissing(error as NodeJS.ErrnoException);
  }
}
