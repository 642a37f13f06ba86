import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { type FileHandle, open as openFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import { openColumnStore } from "#store/column/column-store.ts";
import { dayOf } from "#store/profiles/profile-id.ts";
import { keepingLog, quietLog, temporaryFolder } from "#store/testing/backends.ts";
import { copyColumnStore } from "#store/testing/templates.ts";
import { openPayloadColumns } from "./payload-columns.ts";
import { openPayloadLog } from "./payload-log.ts";
import type { Payload, PayloadStore } from "./payload-store.ts";

const org = "7f000000-0000-4000-8000-000000000001";
const otherOrg = "7f000000-0000-4000-8000-000000000002";

/** An id as `profileIdOf` makes them, of a moment on that day. */
function idOf(hash: number, day: string): string {
  const seconds = Date.parse(`${day}T12:00:00Z`) / 1000 + hash;
  return hash.toString(16).padStart(24, "0") + seconds.toString(16).padStart(8, "0");
}

function payload(hash: number, day = "2026-11-20", orgId = org, size = 1000): Payload {
  const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 7919 + hash) % 256);
  return { orgId, profileId: idOf(hash, day), type: "cpu", bytes };
}

/** Nothing of it was there before, and all of it was written. */
const allNew = { waiting: [], existing: [], failedDays: [] };
const ids = (payloads: readonly Payload[]) => payloads.map(({ profileId }) => profileId);

const kinds = [
  {
    name: "the log",
    open: async (dataDir: string) => {
      const store = openPayloadLog(dataDir, quietLog);
      return { store, close: () => store[Symbol.asyncDispose]() };
    },
  },
  {
    name: "the column store",
    open: async (dataDir: string) => {
      await copyColumnStore(dataDir);
      const columns = await openColumnStore({ kind: "embedded", dataDir }, quietLog);
      const store = openPayloadColumns(openPayloadLog(dataDir, quietLog, { keepsProfiles: false }), columns);
      const close = async () => {
        await store[Symbol.asyncDispose]();
        await columns[Symbol.asyncDispose]();
      };
      return { store, close };
    },
  },
];

describe.each(kinds)("payloads in $name", ({ open }) => {
  const folder = temporaryFolder();
  let opened: { store: PayloadStore; close(): Promise<void> };
  beforeAll(async () => {
    opened = await open(folder.path);
  });
  afterAll(async () => {
    await opened.close();
    folder.remove();
  });

  it("are read back byte for byte, including empty and large ones, also after a restart", async () => {
    const sizes = [0, 1, 72_000, 3_000_000];
    const put = sizes.map((size, index) => payload(index, "2026-11-20", org, size));
    const expected = put.map(({ bytes }) => Buffer.from(bytes));
    expect(await opened.store.put(put)).toMatchObject(allNew);
    await opened.close();
    opened = await open(folder.path);
    for (const [index, { profileId }] of put.entries()) {
      const read = await opened.store.read(org, profileId);
      expect(read && Buffer.from(read.bytes).equals(expected[index]!)).toBe(true);
      expect(read?.type).toBe("cpu");
    }
  });

  it("report which existed before", async () => {
    await opened.store.put([payload(10), payload(11, "2026-11-19")]);
    const again = [payload(10), payload(12), payload(11, "2026-11-19"), payload(10, "2026-11-20", otherOrg)];
    const { existing, waiting } = await opened.store.put(again);
    const before = [...existing, ...waiting];
    expect(new Set(ids(before))).toEqual(new Set([again[0]!.profileId, again[2]!.profileId]));
    expect(before.every(({ orgId }) => orgId === org)).toBe(true);
  });

  it("are only visible to their organization", async () => {
    const [mine] = [payload(20)];
    await opened.store.put([mine!]);
    // The table cannot know whether there was a profile of that id: only the profile's row does.
    const read = async (orgId: string, profileId: string) =>
      (await opened.store.read(orgId, profileId))?.bytes ?? new Uint8Array();
    expect(await read(otherOrg, mine!.profileId)).toHaveLength(0);
    expect(await read(org, "'; DROP TABLE payloads; --")).toHaveLength(0);
    expect(await read(org, idOf(21, "2026-11-20"))).toHaveLength(0);
    expect(await read(org, idOf(21, "2020-01-01"))).toHaveLength(0);
  });
});

describe("payloads that the log has only until their rows are stored", () => {
  const folder = temporaryFolder();
  const dataDir = folder.path;
  const pending = join(dataDir, "uploads", "pending");
  afterAll(() => folder.remove());

  it("are read from the table once the log has dropped them, and stay there once", async () => {
    const first = await kinds[1]!.open(dataDir);
    const put = [payload(1), payload(2, "2026-11-18", org, 0)];
    const { number, unproven } = await first.store.put(put);
    // The log cannot prove that they are new: it drops what is stored.
    expect(ids(unproven)).toEqual(ids(put));
    await first.store.keep!(put);
    await first.store.keep!([...put, payload(3)]);
    await first.store.confirm(number);
    await first.store.endRecovery();
    expect(readdirSync(pending)).toHaveLength(1);
    await first.close();
    expect(readdirSync(pending)).toEqual([]);
    const next = await kinds[1]!.open(dataDir);
    for (const { profileId, bytes } of [...put, payload(3)]) {
      const read = await next.store.read(org, profileId);
      expect(read?.type).toBe("cpu");
      expect(Buffer.from(read!.bytes).equals(Buffer.from(bytes))).toBe(true);
    }
    await next.close();
  });

  it("are found by the next start if they are not confirmed, in the order of arrival", async () => {
    const first = openPayloadLog(dataDir, quietLog, { keepsProfiles: false });
    const put = [payload(13), payload(11, "2026-11-21"), payload(12, "2026-11-19")];
    for (const each of put) await first.put([{ ...each, repeat: each.profileId }]);
    await first.confirm(0);
    await first[Symbol.asyncDispose]();
    const next = openPayloadLog(dataDir, quietLog, { keepsProfiles: false });
    const left: unknown[] = [];
    for await (const { read } of next.leftBehind()) left.push((await read())?.repeat);
    expect(left).toEqual(ids(put));
    expect(ids((await next.put([payload(11, "2026-11-21")])).waiting)).toEqual([put[1]!.profileId]);
    // An organization that keeps fewer days loses what is older, and nothing else.
    await next.removeDays("2026-11-20", org);
    expect(await next.readAgain(put[2]!)).toBeUndefined();
    expect(await next.readAgain(put[0]!)).toMatchObject({ repeat: put[0]!.profileId });
    await next[Symbol.asyncDispose]();
  });
});

const day = "2026-11-20";
const readAll = (folder: string) =>
  Buffer.concat(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  );
/** As problems name a file of the log. */
const named = (path: string) => path.slice(path.indexOf("uploads/"));
const segmentsIn = (folder: string, of = day) =>
  existsSync(join(folder, of))
    ? readdirSync(join(folder, of))
        .filter((name) => name.endsWith(".log"))
        .map((name) => join(folder, of, name))
    : [];
const logged = (log: ReturnType<typeof keepingLog>) =>
  log.lines.map(({ level, message }) => [level, message]);

interface Opened {
  readonly store: PayloadStore;
  /** The log's folder. */
  readonly folder: string;
  readonly log: ReturnType<typeof keepingLog>;
  /** Closes the store, changes its files, and opens it again. `kill` leaves the files as a killed server does. */
  reopened(change?: () => void, how?: "close" | "kill"): Promise<PayloadStore>;
}

/** As ingestion does once the rows of all uploads are stored. */
async function confirmAll(store: PayloadStore): Promise<void> {
  await store.confirm(Number.MAX_SAFE_INTEGER);
  await store.endRecovery();
}

async function withLog(
  run: (opened: Opened) => Promise<void>,
  before?: (dataDir: string) => void,
): Promise<void> {
  const folder = temporaryFolder();
  const log = keepingLog();
  before?.(folder.path);
  const stores = [openPayloadLog(folder.path, log)];
  try {
    await run({
      store: stores[0]!,
      folder: join(folder.path, "uploads"),
      log,
      async reopened(change, how = "close") {
        if (how === "close") {
          await confirmAll(stores.at(-1)!);
          await stores.at(-1)![Symbol.asyncDispose]();
        }
        change?.();
        stores.push(openPayloadLog(folder.path, log));
        return stores.at(-1)!;
      },
    });
  } finally {
    for (const store of stores) await store[Symbol.asyncDispose]();
    folder.remove();
  }
}

describe("the upload log", () => {
  test("is readable only by its owner", () =>
    withLog(async ({ store, folder, reopened }) => {
      await store.put([payload(1)]);
      await reopened();
      const names = readdirSync(join(folder, day));
      expect(names).toEqual([
        expect.stringMatching(/^000001-[0-9a-f]{14}\.log$/),
        expect.stringMatching(/^000001-[0-9a-f]{14}\.log\.index$/),
      ]);
      expect(names.map((name) => statSync(join(folder, day, name)).mode & 0o777)).toEqual([0o600, 0o600]);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }));

  test("has a payload on disk before it says so", () =>
    withLog(async ({ store, folder }) => {
      const file = await openFile(join(folder, "probe"), "w");
      const prototype = Object.getPrototypeOf(file) as { datasync(): Promise<void> };
      await file.close();
      const sync = prototype.datasync;
      let bytesAtSync = 0;
      const spy = vi.spyOn(prototype, "datasync").mockImplementation(async function (this: unknown) {
        await sync.call(this);
        bytesAtSync = statSync(segmentsIn(folder)[0]!).size;
      });
      await store.put([payload(1)]);
      expect(bytesAtSync).toBeGreaterThan(1000);
      // A disk that reports an error once may have lost what it was given: the upload is written elsewhere.
      spy.mockRejectedValueOnce(Object.assign(new Error("EIO"), { code: "EIO" }));
      expect(await store.put([payload(2)])).toMatchObject(allNew);
      expect(segmentsIn(folder)).toHaveLength(2);
      spy.mockRejectedValue(Object.assign(new Error("EIO"), { code: "EIO" }));
      expect((await store.put([payload(3)])).failedDays).toMatchObject([{ day }]);
      spy.mockRestore();
      expect(await store.put([payload(3)])).toMatchObject(allNew);
      for (const hash of [1, 2, 3])
        expect((await store.read(org, idOf(hash, day)))?.bytes).toEqual(payload(hash).bytes);
    }));

  test("completes a write that the system cut short", () =>
    withLog(async ({ store, folder, reopened }) => {
      const file = await openFile(join(folder, "probe"), "w");
      await file.close();
      vi.spyOn(Object.getPrototypeOf(file) as FileHandle, "writev").mockImplementation(async function (
        this: FileHandle,
        buffers: readonly NodeJS.ArrayBufferView[],
        at?: number,
      ) {
        const some = Buffer.concat(buffers as Uint8Array[]).subarray(0, 100);
        return { buffers, bytesWritten: (await this.write(some, 0, some.length, at)).bytesWritten };
      } as FileHandle["writev"]);
      const put = [payload(1), payload(2)];
      for (const each of put) await store.put([each]);
      const next = await reopened();
      for (const { profileId, bytes } of put) expect((await next.read(org, profileId))?.bytes).toEqual(bytes);
    }));

  test("begins another file when one is long", () =>
    withLog(async ({ store, folder, reopened }) => {
      const bytesEach = 32 * 1024 * 1024;
      const large = (hash: number) => ({ ...payload(hash), bytes: new Uint8Array(bytesEach).fill(hash) });
      for (let hash = 1; hash <= 3; hash++) await store.put([large(hash)]);
      expect(segmentsIn(folder)).toHaveLength(2);
      const next = await reopened();
      for (let hash = 1; hash <= 3; hash++) {
        const { bytes } = (await next.read(org, idOf(hash, day)))!;
        expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([bytesEach, hash, hash]);
      }
      expect(ids((await next.put([large(2)])).existing)).toEqual([idOf(2, day)]);
    }));

  test("keeps what HTTP metrics were sent as for minutes after their rows are stored, profiles for good", () =>
    withLog(async ({ store, folder }) => {
      const counts = () => ["pending", day].map((name) => segmentsIn(folder, name).length);
      await store.put([{ ...payload(1), type: "metrics" }, payload(2)]);
      const storedAtMs = performance.now();
      await confirmAll(store);
      await store.purge();
      expect(counts()).toEqual([1, 1]);
      vi.spyOn(performance, "now").mockImplementation(() => storedAtMs + 4 * 60_000);
      await store.purge();
      expect(counts()).toEqual([0, 1]);
    }));

  test("takes many payloads at once", () =>
    withLog(async ({ store, reopened }) => {
      const many = Array.from({ length: 3000 }, (_, index) => payload(index + 1, day, org, 100));
      expect(await store.put(many)).toMatchObject(allNew);
      const next = await reopened();
      for (const each of [many[0]!, many[1500]!, many[2999]!]) {
        expect((await next.read(org, each.profileId))?.bytes).toEqual(each.bytes);
      }
    }));

  test("drops whole days that are past their retention", () =>
    withLog(async ({ store, folder }) => {
      await store.put([payload(1, "2026-11-18"), payload(2, "2026-11-19"), payload(3)]);
      await store.removeDays(day);
      expect(readdirSync(folder)).toEqual([day]);
      expect(await store.read(org, idOf(2, "2026-11-19"))).toBeUndefined();
      expect(await store.read(org, idOf(3, day))).toBeDefined();
      expect(await store.put([payload(2, "2026-11-19")])).toMatchObject(allNew);
    }));

  test("removes payloads of one organization, and keeps those of others", () =>
    withLog(async ({ store, reopened }) => {
      await store.put([payload(1, "2026-11-18"), payload(1, "2026-11-18", otherOrg), payload(2)]);
      await store.removeDays(day, org);
      for (const each of [store, await reopened()]) {
        expect(await each.read(org, idOf(1, "2026-11-18"))).toBeUndefined();
        expect(await each.read(otherOrg, idOf(1, "2026-11-18"))).toBeDefined();
        expect(await each.read(org, idOf(2, day))).toBeDefined();
      }
    }));

  test("contains no removed bytes, and returns the disk space", () =>
    withLog(async ({ store, folder, reopened }) => {
      const marked = (hash: number) => ({ ...payload(hash), bytes: new Uint8Array(50_000).fill(0xab) });
      await store.put(Array.from({ length: 40 }, (_, index) => marked(index + 1)));
      await store.put([payload(100)]);
      const before = readAll(folder);
      expect(before.includes(Buffer.alloc(1000, 0xab))).toBe(true);
      const removed = Array.from({ length: 40 }, (_, index) => idOf(index + 1, day));
      await store.remove(org, removed);
      expect(readAll(folder).includes(Buffer.alloc(100, 0xab))).toBe(false);
      await store.purge();
      expect(readAll(folder).length).toBeLessThan(before.length / 10);
      for (const each of [store, await reopened()]) {
        expect((await each.read(org, idOf(100, day)))?.bytes).toEqual(payload(100).bytes);
        expect(await each.read(org, removed[0]!)).toBeUndefined();
        expect((await each.problems()).segments).toEqual([]);
      }
      // It may be sent again.
      expect(await store.put([marked(1)])).toMatchObject(allNew);
      expect(await store.read(org, idOf(1, day))).toBeDefined();
    }));

  test("removes in steps, can be stopped between two, and goes on with the next call", () =>
    withLog(async ({ store }) => {
      const of18 = Array.from({ length: 2500 }, (_, index) => payload(index + 1, "2026-11-18", org, 10));
      const other = payload(3000, "2026-11-18", otherOrg);
      await store.put([...of18, other]);
      const left = async () =>
        (await Promise.all(of18.map(({ profileId }) => store.read(org, profileId)))).filter(Boolean).length;
      const stopped = async (begin: (stopping: AbortSignal) => Promise<void>) => {
        const stopping = new AbortController();
        const going = begin(stopping.signal);
        stopping.abort();
        await going;
      };
      await store.remove(org, ids(of18.slice(0, 100)));
      expect(await left()).toBe(2400);
      await stopped((stopping) => store.remove(org, ids(of18), stopping));
      expect(await left()).toBe(1500);
      await store.removeDays(day, org);
      expect(await left()).toBe(0);
      expect(await store.read(otherOrg, other.profileId)).toBeDefined();
    }));
});

describe("the upload log after a kill or damage", () => {
  /** Three payloads in one file, the store closed without its index as after a kill. */
  async function withThree(
    run: (opened: Opened, path: string, bytes: Buffer, starts: number[]) => Promise<void>,
  ) {
    await withLog(async (opened) => {
      await opened.store.put([payload(1), payload(2), payload(3)]);
      const [path] = segmentsIn(opened.folder);
      const bytes = readFileSync(path!);
      const starts: number[] = [];
      for (let at = bytes.indexOf("FKU1"); at >= 0; at = bytes.indexOf("FKU1", at + 1)) starts.push(at);
      expect(starts).toHaveLength(3);
      await run(opened, path!, bytes, starts);
    });
  }
  /** A header is unreadable, or the content does not have its checksum. */
  function expectDamagedAt(place: number, found: unknown): void {
    if (place >= 64) expect(found).toMatchObject({ code: "damaged" });
    else expect(found).toBeUndefined();
  }
  const indexOf = (path: string) => `${path}.index`;

  it("has every payload that was written, without the index", () =>
    withThree(async ({ reopened }, path) => {
      const store = await reopened(undefined, "kill");
      for (const hash of [1, 2, 3])
        expect((await store.read(org, idOf(hash, day)))?.bytes).toEqual(payload(hash).bytes);
      expect(ids((await store.put([payload(2), payload(4)])).existing)).toEqual([idOf(2, day)]);
      expect((await store.problems()).segments).toEqual([]);
      expect(existsSync(indexOf(path))).toBe(false);
      await confirmAll(store);
      await store[Symbol.asyncDispose]();
      expect(existsSync(indexOf(path))).toBe(true);
    }));

  it.each(["cut off", "of another version", "garbage"])("does without an index that is %s", (how) =>
    withThree(async ({ reopened }, path) => {
      const store = await reopened(() => {
        const index = readFileSync(indexOf(path));
        if (how === "cut off") truncateSync(indexOf(path), index.length - 1);
        else if (how === "garbage") writeFileSync(indexOf(path), index.fill(0x55));
        else
          writeFileSync(
            indexOf(path),
            index.toString("latin1").replace('"version":1', '"version":9'),
            "latin1",
          );
      });
      for (const hash of [1, 2, 3])
        expect((await store.read(org, idOf(hash, day)))?.bytes).toEqual(payload(hash).bytes);
    }),
  );

  it(
    "stops at a record that is not complete, wherever the write was cut off",
    () =>
      withThree(async ({ reopened, log }, path, bytes, starts) => {
        const last = starts[2]!;
        // Each byte of the header, and some of the content.
        const cuts = Array.from({ length: 80 }, (_, index) => last + index + 1);
        for (const cut of [...cuts, bytes.length - 1]) {
          const store = await reopened(() => {
            rmSync(indexOf(path), { force: true });
            for (const other of readdirSync(join(path, "..")))
              if (!path.endsWith(other)) rmSync(join(path, "..", other));
            writeFileSync(path, bytes.subarray(0, cut));
          });
          expect(await store.read(org, idOf(3, day)), `cut at ${cut}`).toBeUndefined();
          for (const hash of [1, 2])
            expect((await store.read(org, idOf(hash, day)))?.bytes).toEqual(payload(hash).bytes);
          expect((await store.problems()).segments).toEqual([
            { file: named(path), damagedBytes: cut - last },
          ]);
          // It may have been acknowledged, so that the rows decide.
          expect(ids((await store.put([payload(3)])).existing)).toEqual([idOf(3, day)]);
          expect((await store.read(org, idOf(3, day)))?.bytes).toEqual(payload(3).bytes);
          // Nothing of a file is thrown away.
          expect(readFileSync(path).length).toBe(cut);
        }
        expect(logged(log)[0]).toEqual(["warn", expect.stringContaining("belong to no complete upload")]);
      }),
    60_000,
  );

  it(
    "loses only the payload whose bytes were changed, whichever byte it was",
    () =>
      withThree(async ({ reopened }, path, bytes, starts) => {
        const [, middle] = starts as [number, number, number];
        for (let at = middle; at < middle + 90; at++) {
          const store = await reopened(() => {
            rmSync(indexOf(path), { force: true });
            const changed = Buffer.from(bytes);
            changed[at]! ^= 1 << (at % 8);
            writeFileSync(path, changed);
          });
          for (const hash of [1, 3])
            expect((await store.read(org, idOf(hash, day)))?.bytes).toEqual(payload(hash).bytes);
          const found = await store.read(org, idOf(2, day)).catch((error: unknown) => error);
          expectDamagedAt(at - middle, found);
          // In no case is it taken for new.
          expect(ids((await store.put([payload(2)])).existing)).toEqual([idOf(2, day)]);
          for (const other of readdirSync(join(path, "..")))
            if (!path.endsWith(other)) rmSync(join(path, "..", other));
        }
      }),
    60_000,
  );

  it("knows which payload has a damaged header while the index names it, and removes its content", () =>
    withThree(async ({ reopened }, path, bytes, starts) => {
      const store = await reopened(() => {
        const changed = Buffer.from(bytes);
        changed[starts[1]! + 20]! ^= 4;
        writeFileSync(path, changed);
      });
      await expect(store.read(org, idOf(2, day))).rejects.toMatchObject({ code: "damaged" });
      expect(ids((await store.put([payload(2)])).existing)).toEqual([idOf(2, day)]);
      expect((await store.read(org, idOf(3, day)))?.bytes).toEqual(payload(3).bytes);
      await store.remove(org, [idOf(2, day)]);
      const left = readFileSync(path).subarray(starts[1], starts[2]);
      expect(left.equals(Buffer.alloc(left.length))).toBe(true);
      for (const hash of [1, 3])
        expect((await store.read(org, idOf(hash, day)))?.bytes).toEqual(payload(hash).bytes);
    }));

  it("takes a last record with other bytes for one that was being written", () =>
    withThree(async ({ reopened }, path, bytes, starts) => {
      const store = await reopened(() => {
        const changed = Buffer.from(bytes);
        changed[changed.length - 1]! ^= 1;
        writeFileSync(path, changed);
      }, "kill");
      for (const hash of [1, 2])
        expect((await store.read(org, idOf(hash, day)))?.bytes).toEqual(payload(hash).bytes);
      expect(await store.read(org, idOf(3, day))).toBeUndefined();
      expect((await store.problems()).segments).toEqual([
        { file: named(path), damagedBytes: bytes.length - starts[2]! },
      ]);
    }));

  it("does not trust a changed index", () =>
    withThree(async ({ reopened }, path) => {
      const store = await reopened(() => {
        const index = readFileSync(indexOf(path));
        const digit = index.indexOf('"lastSecond":') + '"lastSecond":'.length;
        index[digit]! -= 1;
        writeFileSync(indexOf(path), index);
      });
      for (const hash of [1, 2, 3]) {
        expect((await store.read(org, idOf(hash, day)))?.bytes).toEqual(payload(hash).bytes);
        expect(ids((await store.put([payload(hash)])).existing)).toEqual([idOf(hash, day)]);
      }
    }));

  it("overwrites the rest of a cut-off record when uploads are removed", () =>
    withThree(async ({ reopened, folder }, path, bytes) => {
      const store = await reopened(() => {
        rmSync(indexOf(path));
        writeFileSync(path, bytes.subarray(0, -1));
      });
      expect(readAll(folder).includes(payload(3).bytes.subarray(0, 100))).toBe(true);
      await store.removeDays("2026-11-21", org);
      expect(readAll(folder).includes(payload(3).bytes.subarray(0, 100))).toBe(false);
    }));

  it("takes no bytes of a sender for the record of another organization", () =>
    withLog(async ({ store, folder, reopened }) => {
      await store.put([payload(7, day, otherOrg)]);
      const forged = readFileSync(segmentsIn(folder)[0]!);
      await reopened(() => rmSync(join(folder, day), { recursive: true }));
      const next = await reopened();
      await next.put([payload(1), { ...payload(2), bytes: Uint8Array.from(forged) }, payload(3)]);
      const [path] = segmentsIn(folder);
      const last = await reopened(() => {
        const bytes = readFileSync(path!);
        const second = bytes.indexOf("FKU1", bytes.indexOf("FKU1") + 1);
        rmSync(indexOf(path!), { force: true });
        writeFileSync(path!, bytes.fill(0, second, second + 64));
      });
      expect(await last.read(otherOrg, idOf(7, day))).toBeUndefined();
      const left: string[] = [];
      for await (const { orgId, profileId } of last.leftBehind()) left.push(`${orgId} ${profileId}`);
      expect(left).toEqual([1, 3].map((hash) => `${org} ${idOf(hash, day)}`));
    }));

  it("keeps the index of a file with thousands of organizations", () =>
    withLog(async ({ store, reopened }) => {
      const orgIds = Array.from(
        { length: 2000 },
        (_, index) => `7f000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`,
      );
      await store.put(orgIds.map((orgId, index) => payload(index + 1, day, orgId, 10)));
      const next = await reopened();
      const left: string[] = [];
      for await (const { profileId } of next.leftBehind()) left.push(profileId);
      expect(left).toEqual([]);
      expect(await next.read(orgIds[1999]!, idOf(2000, day))).toBeDefined();
    }));

  it("removes the copy that an interrupted compaction left", () =>
    withThree(async ({ reopened }, path) => {
      const store = await reopened(() => writeFileSync(`${path}.new`, "removed bytes"));
      expect(await store.read(org, idOf(1, day))).toBeDefined();
      expect(existsSync(`${path}.new`)).toBe(false);
    }));

  it("keeps few files open, however many days are written", () =>
    withLog(async ({ store, folder }) => {
      const startMs = Date.parse("2026-11-20T00:00:00Z");
      const days = Array.from({ length: 200 }, (_, index) =>
        new Date(startMs - index * 86_400_000).toISOString().slice(0, 10),
      );
      expect(await store.put(days.map((each, index) => payload(index + 1, each)))).toMatchObject(allNew);
      const descriptors = readdirSync("/proc/self/fd").filter((name) => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`).startsWith(folder);
        } catch {
          return false;
        }
      });
      expect(descriptors.length).toBeLessThan(20);
      for (const [index, each] of days.entries())
        expect(await store.read(org, idOf(index + 1, each))).toBeDefined();
    }));

  it("says that damaged bytes are damaged", () =>
    withThree(async ({ reopened }, path, bytes, starts) => {
      const store = await reopened(() => {
        const file = openSync(path, "r+");
        writeSync(file, Buffer.alloc(100, 0x55), 0, 100, starts[0]! + 200);
        closeSync(file);
      });
      expect(readFileSync(path).length).toBe(bytes.length);
      const failure = await store.read(org, idOf(1, day)).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: "damaged",
        message: expect.stringContaining("damaged or missing"),
      });
      expect((failure as Error).cause).toMatchObject({ message: expect.stringContaining(idOf(1, day)) });
      expect(await store.read(org, idOf(2, day))).toBeDefined();
    }));

  it.each([
    ["deleted", (path: string) => rmSync(path)],
    [
      "replaced",
      (path: string) => {
        writeFileSync(`${path}.copy`, readFileSync(path));
        renameSync(`${path}.copy`, path);
      },
    ],
  ])("loses nothing that comes after a file was %s while it is written", (_, lose) =>
    withThree(async ({ store, folder, log, reopened }, path) => {
      lose(path);
      expect(await store.put([payload(4)])).toMatchObject(allNew);
      // Nobody knows the content of the lost file, so that the rows decide.
      expect(ids((await store.put([payload(5)])).existing)).toEqual([idOf(5, day)]);
      for (const hash of [4, 5])
        expect((await store.read(org, idOf(hash, day)))?.bytes).toEqual(payload(hash).bytes);
      expect((await store.problems()).segments).toMatchObject([
        { file: named(path), reason: expect.stringContaining("deleted") },
      ]);
      expect(logged(log)).toEqual([["error", expect.stringContaining("CANNOT BE READ")]]);
      expect(segmentsIn(folder)).toContainEqual(expect.stringContaining("/000002-"));
      const next = await reopened();
      expect((await next.read(org, idOf(4, day)))?.bytes).toEqual(payload(4).bytes);
    }),
  );

  it("goes on without a file that was deleted while no server ran", () =>
    withThree(async ({ reopened, log }, path) => {
      const other = payload(2, "2026-11-19");
      await (await reopened()).put([other]);
      for (let starts = 1; starts <= 2; starts++) {
        const store = await reopened(() => rmSync(path, { force: true }));
        expect(await store.read(org, idOf(3, day))).toBeUndefined();
        // Its rows may be stored.
        expect(ids((await store.put([payload(starts)])).existing)).toEqual([idOf(starts, day)]);
        expect((await store.read(org, idOf(starts, day)))?.bytes).toEqual(payload(starts).bytes);
        expect((await store.read(org, other.profileId))?.bytes).toEqual(other.bytes);
        const { segments } = await store.problems();
        expect(segments).toMatchObject([{ file: named(path), reason: expect.stringContaining("deleted") }]);
        const lines = Array(starts).fill(["error", expect.stringContaining("CANNOT BE READ")]);
        expect(logged(log)).toEqual(lines);
      }
    }));

  it("goes on without a file that was deleted after it was full", () =>
    withThree(async ({ reopened, log }, path) => {
      const store = await reopened();
      expect(await store.read(org, idOf(1, day))).toBeDefined();
      rmSync(path);
      expect(await store.read(org, idOf(1, day))).toBeUndefined();
      expect(logged(log)).toEqual([["error", expect.stringContaining("CANNOT BE READ")]]);
      expect(ids((await store.put([payload(1)])).existing)).toEqual([idOf(1, day)]);
      expect((await store.read(org, idOf(1, day)))?.bytes).toEqual(payload(1).bytes);
    }));

  it("refuses only the day whose folder cannot be used", () =>
    withLog(async ({ store, folder, log }) => {
      writeFileSync(join(folder, day), "");
      const result = await store.put([payload(2), payload(2, "2026-11-19"), payload(3)]);
      expect(result.failedDays).toMatchObject([
        { day, fault: "unwritable", payloads: [payload(2), payload(3)] },
      ]);
      await store.put([payload(2)]);
      await expect(store.read(org, idOf(2, day))).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining(`Profiles of ${day} cannot be read now`),
      });
      expect(logged(log)).toEqual([["error", expect.stringContaining("other days are not affected")]]);
      expect((await store.problems()).unusable).toMatchObject([{ day, fault: "unwritable" }]);
      expect(await store.read(org, idOf(2, "2026-11-19"))).toBeDefined();
      await store.removeDays("2026-11-21", org);
      expect(await store.read(org, idOf(2, "2026-11-19"))).toBeUndefined();
      rmSync(join(folder, day));
      expect(await store.put(result.failedDays[0]!.payloads)).toMatchObject(allNew);
      expect((await store.problems()).unusable).toEqual([]);
    }));
});

describe("payload files of earlier versions", () => {
  const former = (dataDir: string, name = day) => join(dataDir, "payloads", `${name}.sqlite`);

  /** As version 0.1 wrote them; with types or, in older ones, without. */
  function writeFormer(dataDir: string, payloads: readonly Payload[], hasTypes = true): void {
    mkdirSync(join(dataDir, "payloads"), { recursive: true });
    for (const [ofDay, list] of Map.groupBy(payloads, ({ profileId }) => dayOf(profileId)!)) {
      const database = new DatabaseSync(former(dataDir, ofDay));
      database.exec(`PRAGMA journal_mode = WAL;
        CREATE TABLE payloads (seconds INTEGER NOT NULL, profile_id TEXT NOT NULL, org_id TEXT NOT NULL,
          bytes BLOB NOT NULL${hasTypes ? ", type TEXT" : ""});
        CREATE UNIQUE INDEX by_profile ON payloads (seconds, profile_id, org_id);`);
      const insert = database.prepare(`INSERT INTO payloads VALUES (?, ?, ?, ?${hasTypes ? ", ?" : ""})`);
      for (const { profileId, orgId, bytes, type } of list) {
        const seconds = Number.parseInt(profileId.slice(-8), 16);
        insert.run(seconds, profileId, orgId, bytes, ...(hasTypes ? [type] : []));
      }
      database.close();
    }
  }

  it.each([true, false])("are read at once and moved into the log (with types: %s)", async (hasTypes) => {
    const many = Array.from({ length: 450 }, (_, index) =>
      payload(index + 1, index % 2 ? day : "2026-11-19"),
    );
    let dataDir = "";
    await withLog(
      async ({ store, reopened }) => {
        const type = hasTypes ? "cpu" : undefined;
        expect(await store.read(org, many[7]!.profileId)).toEqual({ bytes: many[7]!.bytes, type });
        expect(ids((await store.put([many[9]!, payload(900)])).existing)).toEqual([many[9]!.profileId]);
        await expect.poll(() => existsSync(join(dataDir, "payloads")), { timeout: 30_000 }).toBe(false);
        for (const each of [store, await reopened()]) {
          for (const { profileId, bytes } of many)
            expect(await each.read(org, profileId)).toEqual({ bytes, type });
          expect((await each.problems()).unusable).toEqual([]);
        }
      },
      (folder) => {
        dataDir = folder;
        writeFormer(folder, many, hasTypes);
      },
    );
  });

  it("keep moving after a start that was interrupted, and keep nothing twice", async () => {
    const many = Array.from({ length: 900 }, (_, index) => payload(index + 1));
    let dataDir = "";
    await withLog(
      async ({ store, folder, reopened }) => {
        await expect.poll(() => segmentsIn(folder).length, { interval: 5 }).toBe(1);
        await store[Symbol.asyncDispose]();
        expect(existsSync(former(dataDir))).toBe(true);
        const next = await reopened();
        await expect.poll(() => existsSync(former(dataDir)), { timeout: 30_000 }).toBe(false);
        await next[Symbol.asyncDispose]();
        const bytes = Buffer.concat(segmentsIn(folder).map((path) => readFileSync(path)));
        expect(bytes.toString("latin1").split("FKU1")).toHaveLength(many.length + 1);
      },
      (folder) => {
        dataDir = folder;
        writeFormer(folder, many);
      },
    );
  });

  it("lose removed payloads before they are moved", async () => {
    const many = Array.from({ length: 600 }, (_, index) => payload(index + 1, "2026-11-18"));
    let dataDir = "";
    await withLog(
      async ({ store }) => {
        await store.remove(org, ids(many.slice(0, 300)));
        await store.removeDays("2026-11-19", otherOrg);
        await store.removeDays("2026-11-18", org);
        await expect.poll(() => existsSync(former(dataDir, "2026-11-18")), { timeout: 30_000 }).toBe(false);
        const left = await Promise.all(many.map(({ profileId }) => store.read(org, profileId)));
        expect(left.map((found) => found !== undefined)).toEqual(many.map((_, index) => index >= 300));
      },
      (folder) => {
        dataDir = folder;
        writeFormer(folder, many);
      },
    );
  });

  it("lose what is removed at any moment of the move", async () => {
    const many = Array.from({ length: 300 }, (_, index) => payload(index + 1, "2026-11-18", org, 200));
    // The first payloads are moved after about 20 ms, into a folder that is made for them.
    for (const delayMs of [0, 15, 20, 21, 22, 23, 24, 25, 30, 45, 60, 75, 90, 105]) {
      let dataDir = "";
      await withLog(
        async ({ store }) => {
          await new Promise((resolve) => setTimeout(resolve, delayMs));
          if (delayMs % 30 === 0) await store.remove(org, ids(many));
          else await store.removeDays("2026-11-19", org);
          await expect.poll(() => existsSync(former(dataDir, "2026-11-18")), { timeout: 30_000 }).toBe(false);
          const left = await Promise.all(many.map(({ profileId }) => store.read(org, profileId)));
          expect(left.filter(Boolean), `removed after ${delayMs} ms`).toEqual([]);
        },
        (folder) => {
          dataDir = folder;
          writeFormer(folder, many);
        },
      );
    }
  }, 60_000);

  it("that are damaged do not prevent the removal of an organization", async () => {
    await withLog(
      async ({ store }) => {
        await store.put([payload(5)]);
        await store.remove(org, [idOf(1, "2026-10-01")]);
        await store.removeDays("2026-11-21", org);
        expect(await store.read(org, idOf(5, day))).toBeUndefined();
        expect((await store.problems()).unusable).toMatchObject([{ day: "2026-10-01", fault: "damaged" }]);
      },
      (folder) => {
        mkdirSync(join(folder, "payloads"));
        writeFileSync(former(folder, "2026-10-01"), Buffer.alloc(5000, 0x55));
      },
    );
  });

  it("that are damaged stay, are reported, and may have had any payload of their day", async () => {
    let dataDir = "";
    await withLog(
      async ({ store, log }) => {
        await expect
          .poll(async () => (await store.problems()).unusable, { timeout: 10_000 })
          .toMatchObject([{ day }]);
        expect(logged(log)).toEqual([["error", expect.stringContaining("CANNOT BE READ")]]);
        await expect(store.read(org, idOf(1, day))).rejects.toMatchObject({ code: "damaged" });
        expect(existsSync(former(dataDir))).toBe(true);
        await store.removeDays("2026-11-21");
        expect(readdirSync(dataDir)).toEqual(["uploads"]);
      },
      (folder) => {
        dataDir = folder;
        writeFormer(folder, [payload(1)]);
        const bytes = readFileSync(former(folder));
        writeFileSync(former(folder), bytes.fill(0x55, 0, 200));
        writeFileSync(`${former(folder)}.damaged-1`, "");
      },
    );
  });
});
