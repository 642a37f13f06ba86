import { type DiskSpace, roomBytes } from "#store/disk-space.ts";
import type { CommitterParts } from "./committer-parts.ts";

/** Rows, roll-ups and the merges of both need room too. */
const bytesOnDiskFactor = 2;

/** The largest batch for which the disk has room. Payloads must not be written if the engine will refuse their rows. */
export async function bytesThatFit({ disk, log }: Pick<CommitterParts, "disk" | "log">): Promise<number> {
  if (disk === undefined) return Number.POSITIVE_INFINITY;
  try {
    return (await roomBytes(disk)) / bytesOnDiskFactor;
  } catch (error) {
    // The stores then report themselves whether they can write.
    log.warn({ err: error }, "the free disk space cannot be read");
    return Number.POSITIVE_INFINITY;
  }
}

/** Counts the batch as written until the returned function is called. */
export function startWrite(disk: DiskSpace | undefined, batchBytes: number): (() => void) | undefined {
  return disk?.startWrite(batchBytes * bytesOnDiskFactor);
}
