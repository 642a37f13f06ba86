import { type FileHandle, open } from "node:fs/promises";

/**
 * Syncs the write-ahead log of a SQLite file outside of the main thread. SQLite would do it in its own commit, which holds the
 * main thread for tens of milliseconds while the disk is busy.
 */
export class WalSync {
  readonly #file: string;
  #log: FileHandle | undefined;

  /** @param file the database, whose log lies next to it while a connection is open */
  constructor(file: string) {
    this.#file = `${file}-wal`;
  }

  /** Resolves once everything that was committed before is on disk. */
  async sync(): Promise<void> {
    this.#log ??= await openUnlessMissing(this.#file);
    await this.#log?.datasync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#log?.close();
  }
}

/** There is no log before the first write. */
async function openUnlessMissing(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
