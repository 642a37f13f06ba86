import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A file that stands as long as the store is open: who finds it at the start knows that the last end was a crash. */
export class UncleanMark {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, "columns-open");
  }

  get isSet(): boolean {
    return existsSync(this.#path);
  }

  set(): void {
    writeFileSync(this.#path, "");
  }

  clear(): void {
    rmSync(this.#path, { force: true });
  }
}
