import { createHash, hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { ObjectStore } from "#store/objects/object-store.ts";
import { StoreRefused } from "#store/unavailable.ts";
import {
  type Added,
  type BackupBeginning,
  type BackupSource,
  type BackupTarget,
  type BackupWriter,
  isBackupName,
} from "./backup-target.ts";
import { type Copied, forEachFile, readAll } from "./file-trees.ts";
import { type ListedFile, toJson, toManifest } from "./manifest.ts";
import { type Lease, type LeaseTiming, takeLease } from "./object-lease.ts";

/*
 * backups/NAME.json   the manifest of a backup, written last
 * files/SHA256        each file once, for all backups that have it
 * leases/ID           a running backup
 */
const manifestKey = (name: string) => `backups/${name}.json`;
const fileKey = (sha256: string) => `files/${sha256}`;
/** Each may take the memory of a part of a large object. */
const atOnce = 8;
/** Smaller files are in memory while they are sent. */
const smallBytesMax = 4 * 1024 * 1024;
const readBytes = 1024 * 1024;
/** A file that changes while it is read: the server marks records in the upload log as removed. */
const attemptsMax = 5;

export function objectTarget(store: ObjectStore, timing?: LeaseTiming): BackupTarget {
  return {
    place: store.url,
    names: () => backupsIn(store),
    source: (name) => objectSource(store, name),
    async lock(dataDir) {
      const lease = await takeLease(store, dataDir, timing);
      return {
        disk: dataDir,
        begin: (beginning) => begin(store, lease, beginning),
        async clear(keep) {
          const old = (await backupsIn(store)).slice(0, -keep);
          for (const name of old) await store.remove(manifestKey(name));
          if (old.length > 0 || lease.hasLeftovers) await removeUnnamed(store, lease);
          lease.end();
          return old;
        },
        [Symbol.asyncDispose]: () => lease[Symbol.asyncDispose](),
      };
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

function objectSource(store: ObjectStore, name: string): BackupSource {
  const place = `${store.url}/${name}`;
  return {
    place,
    atOnce,
    async manifest() {
      const chunks = await store.get(manifestKey(name));
      if (chunks !== undefined)
        return toManifest(toJson((await buffer(chunks)).toString()), `${store.url}/${manifestKey(name)}`);
      throw new StoreRefused(
        `${store.url} has no backup ${name}: npm run restore -- --list ${store.url} names those that it has.`,
      );
    },
    async read({ sha256 }, to) {
      const chunks = await store.get(fileKey(sha256));
      return chunks && copyChunks(chunks, to);
    },
    nameOf: ({ path, sha256 }: ListedFile) => `${path} (${fileKey(sha256)})`,
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

async function copyChunks(chunks: AsyncIterable<Uint8Array>, to: string | undefined): Promise<Copied> {
  await using target = to === undefined ? undefined : await open(to, "wx", 0o600);
  const sum = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunks) {
    sum.update(chunk);
    bytes += chunk.length;
    await target?.writeFile(chunk);
  }
  return { bytes, sha256: sum.digest("hex") };
}

async function backupsIn(store: ObjectStore): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of store.list("backups/")) {
    const name = /^backups\/(.*)\.json$/.exec(key)?.[1] ?? "";
    if (isBackupName(name)) names.push(name);
  }
  return names;
}

async function begin(
  store: ObjectStore,
  lease: Lease,
  { name, from }: BackupBeginning,
): Promise<BackupWriter> {
  lease.begin();
  if (lease.hasLeftovers) await store.removeUnfinished();
  const stored = new Map<string, number>();
  for await (const { key, bytes } of store.list(fileKey(""))) stored.set(key, bytes);
  const add = (path: string) => addFile(store, stored, join(from, path));
  return {
    atOnce,
    share: async ({ sha256, bytes }) => stored.get(fileKey(sha256)) === bytes,
    add,
    async addMade(path, make) {
      await make(join(from, path));
      return add(path);
    },
    async finish(manifest) {
      await lease.ensure();
      await store.put(manifestKey(name), Buffer.from(JSON.stringify(manifest)));
      try {
        await lease.ensure();
      } catch (error) {
        await store.remove(manifestKey(name));
        throw error;
      }
    },
    // The next backup uses the files that are there, or removes them.
    abandon: async () => {},
  };
}

/** @param stored sizes by key */
async function addFile(store: ObjectStore, stored: Map<string, number>, from: string): Promise<Added> {
  const { size } = await stat(from);
  if (size > smallBytesMax) return addLarge(store, stored, from);
  const content = await readFile(from);
  const copied = { bytes: content.length, sha256: hash("sha256", content) };
  const key = fileKey(copied.sha256);
  const isShared = stored.get(key) === copied.bytes;
  // Noted before: other files may have the same content.
  stored.set(key, copied.bytes);
  if (!isShared) await store.put(key, content);
  return { ...copied, isShared };
}

/** The name of the object is the sum of its bytes: a large file is read once for it, and again to send it. */
async function addLarge(store: ObjectStore, stored: Map<string, number>, from: string): Promise<Added> {
  for (let attempt = 1; ; attempt++) {
    const copied = await readAll(from);
    const key = fileKey(copied.sha256);
    if (stored.get(key) === copied.bytes) return { ...copied, isShared: true };
    let hasChanged = false;
    const chunks = sameChunks(from, copied, () => {
      hasChanged = true;
    });
    try {
      await store.put(key, { bytes: copied.bytes, chunks });
      stored.set(key, copied.bytes);
      return { ...copied, isShared: false };
    } catch (error) {
      if (!hasChanged || attempt === attemptsMax) throw error;
    }
  }
}

/** The beginning of the file, which the server may append to. Throws if it is not what was read before. */
async function* sameChunks(
  from: string,
  { bytes, sha256 }: Copied,
  onChanged: () => void,
): AsyncGenerator<Uint8Array> {
  const sum = createHash("sha256");
  for await (const chunk of createReadStream(from, { end: bytes - 1, highWaterMark: readBytes })) {
    sum.update(chunk as Uint8Array);
    yield chunk as Uint8Array;
  }
  if (sum.digest("hex") === sha256) return;
  onChanged();
  throw new Error(`${from} changes again and again while it is read.`);
}

/** Removes all files that no backup has. */
async function removeUnnamed(store: ObjectStore, lease: Lease): Promise<void> {
  const named = new Set<string>();
  for (const name of await backupsIn(store)) {
    const { files } = await objectSource(store, name).manifest();
    for (const { sha256 } of files) named.add(fileKey(sha256));
  }
  await lease.ensure();
  const unnamed: string[] = [];
  for await (const { key } of store.list(fileKey(""))) if (!named.has(key)) unnamed.push(key);
  await forEachFile(unnamed, (key) => store.remove(key), atOnce);
}
