import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { recordedFolder } from "./manifest.ts";
import type { Planned } from "./plan.ts";
import { shiftMetrics } from "./shift-metrics.ts";
import { shiftProfile } from "./shift-profile.ts";

const inflate = promisify(gunzip);
const deflate = promisify(gzip);

/** The recorded files, inflated at first use and then kept in memory. */
export class RecordedFiles {
  readonly #inflated = new Map<string, Promise<Buffer>>();

  /** The upload's bytes as a sender would send them now: gzip. */
  async bodyOf({ file, startedAtMs }: Planned): Promise<Uint8Array> {
    const raw = await this.#read(file.path);
    const isMetrics = file.type === "metrics";
    return deflate(isMetrics ? shiftMetrics(raw.toString(), startedAtMs) : shiftProfile(raw, startedAtMs));
  }

  #read(path: string): Promise<Buffer> {
    const known = this.#inflated.get(path);
    if (known !== undefined) return known;
    const reading = readFile(new URL(path, recordedFolder)).then((body) => inflate(body));
    this.#inflated.set(path, reading);
    return reading;
  }
}
