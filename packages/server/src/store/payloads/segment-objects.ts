import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync, rmSync } from "node:fs";
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import type { ObjectStore } from "#store/objects/object-store.ts";
import { StoreRefused, StoreUnavailable } from "#store/unavailable.ts";
import { indexPathOf, syncFolder } from "./segment-file.ts";

/** In the data folder: segments that were fetched. */
const fetchedFolder = "fetched-uploads";
/** In the data folder, and not in backups: the id in the object of the same name. */
const ownerFile = "originals-owner";
export const ownerKey = "owner";
const fetchedBytesMax = 512 * 1024 * 1024;
/** Somebody waits for a record. */
const readMsMax = 15_000;

/** Object storage cannot be used now; the message says why, for operators. */
export class ObjectsAway extends StoreUnavailable {}

/** There is no such object. */
export class ObjectMissing extends Error {
  override readonly name = "ObjectMissing";
}

export interface ObjectFault {
  readonly message: string;
  readonly since: Date;
}

/** Segments of the upload log in object storage, as `DAY/NAME.log`, each with its index. */
export class SegmentObjects implements Disposable {
  readonly #store: ObjectStore;
  readonly #dataDir: string;
  /** Copies that are kept for records that may be read next, the latest at the end. */
  readonly #fetched = new Map<string, number>();
  #isOwned = false;
  #fault: ObjectFault | undefined;
  /** Reads may work meanwhile. */
  #refusal: ObjectFault | undefined;

  constructor(store: ObjectStore, dataDir: string) {
    this.#store = store;
    this.#dataDir = dataDir;
    rmSync(join(dataDir, fetchedFolder), { recursive: true, force: true });
  }

  get url(): string {
    return this.#store.url;
  }

  /** Undefined once a request has succeeded again. */
  get fault(): ObjectFault | undefined {
    return this.#refusal ?? this.#fault;
  }

  /**
   * Stores the segment of this path and its index, and compares what object storage then has.
   *
   * @param from the file that has its bytes
   */
  async put(path: string, from: string, index: Buffer): Promise<void> {
    await this.#own();
    const { size: bytes } = await stat(from);
    await this.#asking(() => this.#store.put(keyOf(path), { bytes, chunks: chunksOf(from) }));
    await this.#asking(() => this.#store.put(keyOf(indexPathOf(path)), index));
    const [stored, sent] = await Promise.all([
      this.#asking(async () => sumOf((await this.#store.get(keyOf(path))) ?? [])),
      sumOf(chunksOf(from)),
    ]);
    if (stored !== sent)
      throw this.#noted(`${this.#store.url}/${keyOf(path)} has other bytes than those that were stored.`);
  }

  /** Throws ObjectMissing. */
  read(path: string, from: number, bytes: number): Promise<Buffer> {
    return this.#asking(async () => {
      const late = Promise.withResolvers<never>();
      const message = `${this.#store.url} did not answer within ${readMsMax / 1000} s.`;
      const timer = setTimeout(() => late.reject(new StoreUnavailable(message)), readMsMax);
      const reading = this.#found(path, { from, bytes }).then(buffer);
      return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer));
    });
  }

  /** Fetches a whole segment. The copy stays until it is released. Throws ObjectMissing. */
  async fetch(path: string): Promise<string> {
    // Somebody may read another copy, which must not change.
    const copy = join(this.#dataDir, fetchedFolder, `${randomUUID()}-${basename(path)}`);
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    await this.#asking(async () => {
      const chunks = await this.#found(path);
      await using file = await open(copy, "w", 0o600);
      for await (const chunk of chunks) await file.writeFile(chunk);
      await file.datasync();
    });
    return copy;
  }

  /** Keeps a copy until those after it need its room. */
  async keep(copy: string): Promise<void> {
    this.#fetched.set(copy, (await stat(copy)).size);
    let bytes = [...this.#fetched.values()].reduce((sum, each) => sum + each, 0);
    for (const [oldest, size] of this.#fetched) {
      if (bytes <= fetchedBytesMax) return;
      await this.release(oldest);
      bytes -= size;
    }
  }

  async release(...copies: readonly string[]): Promise<void> {
    for (const copy of copies) {
      this.#fetched.delete(copy);
      await rm(copy, { force: true });
    }
  }

  releaseAll(): Promise<void> {
    return this.release(...this.#fetched.keys());
  }

  /** Also succeeds if there is none. */
  async remove(path: string): Promise<void> {
    await this.#own();
    for (const each of [path, indexPathOf(path)]) await this.#asking(() => this.#store.remove(keyOf(each)));
  }

  /** Removes all objects of days before `before`, also those that no index names. */
  async removeDays(before: string, stopped?: AbortSignal): Promise<void> {
    await this.#own();
    await this.#asking(async () => {
      for await (const { key } of this.#store.list("")) {
        // They are sorted, and names of days come first.
        if (stopped?.aborted || key >= before) return;
        await this.#store.remove(key);
      }
    });
  }

  /** Finds out whether a fault is over. */
  async probe(): Promise<void> {
    if (this.#fault !== undefined) await this.#asking(() => this.#store.head(ownerKey));
  }

  [Symbol.dispose](): void {
    this.#store[Symbol.dispose]();
  }

  async #found(path: string, range?: { readonly from: number; readonly bytes: number }) {
    const chunks = await this.#store.get(keyOf(path), range);
    if (chunks === undefined) throw new ObjectMissing(`there is no ${keyOf(path)} in ${this.#store.url}`);
    return chunks;
  }

  /** A copy of the data folder must not change objects that the original needs. */
  async #own(): Promise<void> {
    if (this.#isOwned) return;
    const file = join(this.#dataDir, ownerFile);
    const mine = existsSync(file) ? await readFile(file, "utf8") : await newOwner(file);
    const found = await this.#asking(async () => {
      const chunks = await this.#store.get(ownerKey);
      if (chunks === undefined) await this.#store.put(ownerKey, Buffer.from(mine));
      return chunks === undefined ? mine : await text(chunks);
    });
    this.#refusal = undefined;
    if (found === mine) {
      // A killed process may have left parts of a file.
      await this.#asking(() => this.#store.removeUnfinished());
      this.#isOwned = true;
      return;
    }
    const message = `${this.#store.url} belongs to another data folder, and this one may be a copy of it: its objects are read, and not changed. Set ORIGINALS_URL to another prefix, or, if the other server is gone, remove the object ${ownerKey}.`;
    this.#refusal = { message, since: new Date() };
    throw new ObjectsAway(message);
  }

  async #asking<T>(ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.#fault = undefined;
      return answer;
    } catch (error) {
      const isOfStorage = error instanceof StoreUnavailable || error instanceof StoreRefused;
      // Other replies of the storage; a fault of the disk is none.
      if (!isOfStorage && !(error instanceof Error && "$metadata" in error)) throw error;
      throw this.#noted(error.message, error);
    }
  }

  #noted(message: string, cause?: Error): ObjectsAway {
    this.#fault = { message, since: this.#fault?.since ?? new Date() };
    return new ObjectsAway(message, { cause });
  }
}

async function newOwner(file: string): Promise<string> {
  const id = randomUUID();
  await writeFile(`${file}.new`, id, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  await syncFolder(dirname(file));
  return id;
}

function keyOf(path: string): string {
  return `${basename(dirname(path))}/${basename(path)}`;
}

/** Opens the file once it is read: object storage may refuse before. */
async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file);
}

async function sumOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
