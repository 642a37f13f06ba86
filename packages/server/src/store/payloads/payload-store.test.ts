import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { openColumnStore } from "#store/column/column-store.ts";
import { keepingLog, quietLog, temporaryFolder } from "#store/testing/backends.ts";
import { copyColumnStore } from "#store/testing/templates.ts";
import { openPayloadColumns } from "./payload-columns.ts";
import { openPayloadFiles } from "./payload-files.ts";
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
const allNew = { possiblyStored: [], failedDays: [] };
const ids = (payloads: readonly Payload[]) => payloads.map(({ profileId }) => profileId);

const kinds = [
  {
    name: "files",
    open: async (dataDir: string) => {
      const store = openPayloadFiles(dataDir, quietLog);
      return { store, close: () => store[Symbol.asyncDispose]() };
    },
  },
  {
    name: "the column store",
    open: async (dataDir: string) => {
      await copyColumnStore(dataDir);
      const columns = await openColumnStore({ kind: "embedded", dataDir }, quietLog);
      return { store: openPayloadColumns(columns), close: () => columns[Symbol.asyncDispose]() };
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
    expect(await opened.store.put(put)).toEqual(allNew);
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
    const { possiblyStored } = await opened.store.put(again);
    expect(ids(possiblyStored)).toEqual([again[0]!.profileId, again[2]!.profileId]);
    expect(possiblyStored.every(({ orgId }) => orgId === org)).toBe(true);
  });

  it("are only visible to their organization", async () => {
    const [mine] = [payload(20)];
    await opened.store.put([mine!]);
    expect(await opened.store.read(otherOrg, mine!.profileId)).toBeUndefined();
    expect(await opened.store.read(org, "'; DROP TABLE payloads; --")).toBeUndefined();
    expect(await opened.store.read(org, idOf(21, "2026-11-20"))).toBeUndefined();
    expect(await opened.store.read(org, idOf(21, "2020-01-01"))).toBeUndefined();
  });
});

describe("payload files", () => {
  async function withStore(run: (store: PayloadStore, folder: string) => Promise<void>): Promise<void> {
    const folder = temporaryFolder();
    const store = openPayloadFiles(folder.path, quietLog);
    try {
      await run(store, join(folder.path, "payloads"));
    } finally {
      await store[Symbol.asyncDispose]();
      folder.remove();
    }
  }

  test("are read in the order in which they were asked for", () =>
    withStore(async (store) => {
      await store.put([payload(1)]);
      const places = Array.from({ length: 12 }, (_, place) => place);
      const answered: number[] = [];
      const read = (place: number) => store.read(org, idOf(1, "2026-11-20")).then(() => answered.push(place));
      await Promise.all(places.map(read));
      expect(answered).toEqual(places);
    }));

  test("are read from and written to a file created before types were stored", () =>
    withStore(async (store, folder) => {
      const old = new DatabaseSync(join(folder, "2026-11-20.sqlite"));
      old.exec(`CREATE TABLE payloads (seconds INTEGER NOT NULL, profile_id TEXT NOT NULL, org_id TEXT NOT NULL,
        bytes BLOB NOT NULL); CREATE UNIQUE INDEX by_profile ON payloads (seconds, profile_id, org_id);`);
      const { profileId, bytes } = payload(1);
      const seconds = Number.parseInt(profileId.slice(-8), 16);
      old.prepare("INSERT INTO payloads VALUES (?, ?, ?, ?)").run(seconds, profileId, org, bytes);
      old.close();
      expect((await store.put([payload(1), payload(2)])).possiblyStored).toHaveLength(1);
      expect(await store.read(org, profileId)).toEqual({ bytes, type: undefined });
      expect((await store.read(org, idOf(2, "2026-11-20")))?.type).toBeUndefined();
    }));

  test("are removed as whole files for days past their retention", () =>
    withStore(async (store, folder) => {
      await store.put([payload(1, "2026-11-18"), payload(2, "2026-11-19"), payload(3, "2026-11-20")]);
      await store.removeDays("2026-11-20");
      expect(readdirSync(folder).filter((name) => name.endsWith(".sqlite"))).toEqual(["2026-11-20.sqlite"]);
      expect(await store.read(org, idOf(2, "2026-11-19"))).toBeUndefined();
      expect(await store.read(org, idOf(3, "2026-11-20"))).toBeDefined();
      expect(await store.put([payload(2, "2026-11-19")])).toEqual(allNew);
    }));

  test("of one organization are removed, and those of others are kept", () =>
    withStore(async (store) => {
      await store.put([payload(1, "2026-11-18"), payload(1, "2026-11-18", otherOrg), payload(2)]);
      await store.removeDays("2026-11-20", org);
      expect(await store.read(org, idOf(1, "2026-11-18"))).toBeUndefined();
      expect(await store.read(otherOrg, idOf(1, "2026-11-18"))).toBeDefined();
      expect(await store.read(org, idOf(2, "2026-11-20"))).toBeDefined();
    }));

  test("contain no removed bytes, and return the disk space", () =>
    withStore(async (store, folder) => {
      const marked = (hash: number) => ({ ...payload(hash), bytes: new Uint8Array(50_000).fill(0xab) });
      await store.put(Array.from({ length: 40 }, (_, index) => marked(index + 1)));
      await store.put([payload(100)]);
      // The log too: what was just written may be in there alone.
      const read = () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
      const before = read();
      expect(before.includes(Buffer.alloc(1000, 0xab))).toBe(true);
      await store.remove(
        org,
        Array.from({ length: 40 }, (_, index) => idOf(index + 1, "2026-11-20")),
      );
      expect(read().includes(Buffer.alloc(100, 0xab))).toBe(false);
      await store.purge();
      expect(read().length).toBeLessThan(before.length / 10);
      expect(await store.read(org, idOf(100, "2026-11-20"))).toBeDefined();
    }));

  test("are readable only by the file's owner", () =>
    withStore(async (store, folder) => {
      await store.put([payload(1)]);
      const names = readdirSync(folder);
      expect(names).toContain("2026-11-20.sqlite");
      expect(names.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual(names.map(() => 0o600));
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }));

  test("of an organization are removed in steps, however many there are", () =>
    withStore(async (store) => {
      const many = Array.from({ length: 2500 }, (_, index) => payload(index + 1, "2026-11-18", org, 10));
      const other = payload(3000, "2026-11-18", otherOrg);
      await store.put([...many, other]);
      await store.removeDays("2026-11-20", org);
      for (const index of [0, 1000, 2499])
        expect(await store.read(org, many[index]!.profileId)).toBeUndefined();
      expect(await store.read(otherOrg, other.profileId)).toBeDefined();
    }));

  test("stop being removed between two steps, and the next call continues", () =>
    withStore(async (store, folder) => {
      const days = ["2026-11-18", "2026-11-19"];
      const many = Array.from({ length: 1500 }, (_, index) => payload(index + 1, days[0], org, 1000));
      const more = Array.from({ length: 40 }, (_, index) => payload(index + 1, days[1], org, 20_000));
      const ofDay = many.map(({ profileId }) => profileId);
      await store.put([...many, ...more]);
      const sizes = () => days.map((day) => statSync(join(folder, `${day}.sqlite`)).size);
      const left = async () =>
        (await Promise.all(ofDay.map((id) => store.read(org, id)))).filter(Boolean).length;
      /** Stops what was begun while it takes its first step. */
      const stopped = async (begin: (stopping: AbortSignal) => Promise<void>) => {
        const stopping = new AbortController();
        const going = begin(stopping.signal);
        stopping.abort();
        await going;
      };
      await store.remove(org, ofDay.slice(0, 100));
      await stopped((stopping) => store.removeDays("2026-11-20", org, stopping));
      expect(await left()).toBe(1400);
      await stopped((stopping) => store.remove(org, ofDay, stopping));
      expect(await left()).toBe(500);
      await store.remove(org, ofDay);
      expect(await left()).toBe(0);
      await store.removeDays("2026-11-20", org);
      const before = sizes();
      await stopped((stopping) => store.purge(stopping));
      expect(sizes()).toEqual(before);
      await store.purge();
      for (const [index, size] of sizes().entries()) expect(size).toBeLessThan(before[index]! / 5);
    }));

  /** A folder whose only file has other bytes than SQLite wrote, from the beginning of one of its pages. */
  async function withDamaged(
    run: (open: () => PayloadStore, log: ReturnType<typeof keepingLog>, folder: string) => Promise<void>,
    page = 0,
  ): Promise<void> {
    const folder = temporaryFolder();
    const log = keepingLog();
    const first = openPayloadFiles(folder.path, quietLog);
    await first.put([payload(1)]);
    await first[Symbol.asyncDispose]();
    const file = join(folder.path, "payloads", "2026-11-20.sqlite");
    writeFileSync(file, readFileSync(file).fill(0x55, page * 16_384, page * 16_384 + 200));
    await run(() => openPayloadFiles(folder.path, log), log, join(folder.path, "payloads"));
    folder.remove();
  }
  const damaged = (folder: string) => readdirSync(folder).filter((name) => /damaged-\d+$/.test(name));

  test("that are damaged are set aside, and the day gets a new file", () =>
    withDamaged(async (open, log, folder) => {
      let store = open();
      await store.put([payload(2)]);
      expect(await store.read(org, idOf(2, "2026-11-20"))).toBeDefined();
      expect(log.lines.map(({ message }) => message)).toEqual([
        expect.stringContaining("CANNOT BE READ"),
        expect.stringContaining("moved aside"),
      ]);
      expect(damaged(folder).length).toBe(1);
      // The damaged file may have had any payload of the day, so none is certainly new.
      expect(ids((await store.put([payload(1), payload(3, "2026-11-19")])).possiblyStored)).toEqual([
        idOf(1, "2026-11-20"),
      ]);
      await store[Symbol.asyncDispose]();
      store = open();
      expect(ids((await store.put([payload(4)])).possiblyStored)).toEqual([idOf(4, "2026-11-20")]);
      const setAside = damaged(folder);
      expect(await store.problems()).toEqual({ setAside, unusable: [] });
      expect(log.lines.length).toBe(3);
      expect(log.lines[2]).toMatchObject({ level: "error", fields: { setAside } });
      await store.removeDays("2026-11-21");
      expect(readdirSync(folder)).toEqual([]);
      await store[Symbol.asyncDispose]();
    }));

  test.each([2, 3])("that are damaged in page %i of the tree or its index are set aside too", (page) =>
    withDamaged(async (open, _log, folder) => {
      const store = open();
      await store.put([payload(2)]);
      expect(await store.read(org, idOf(2, "2026-11-20"))).toBeDefined();
      expect(damaged(folder).length).toBe(1);
      await store[Symbol.asyncDispose]();
    }, page),
  );

  test("that are damaged are reported before anything is written", () =>
    withDamaged(async (open, log) => {
      const store = open();
      const unusable = [{ day: "2026-11-20", fault: "unwritable", reason: "it is not an SQLite file" }];
      expect(await store.problems()).toEqual({ setAside: [], unusable });
      expect(log.lines).toMatchObject([{ level: "error", fields: { unusable } }]);
      await store[Symbol.asyncDispose]();
    }));

  /** The second half of the log's index says where in the log a page is; pages are then looked for in the file. */
  test("that are reported as damaged once, and not again after reopening, stay in place", () =>
    withStore(async (store, folder) => {
      const large = Array.from({ length: 4 }, (_, index) => payload(index + 1, "2026-11-20", org, 2_500_000));
      for (const each of large) await store.put([each]);
      const index = openSync(join(folder, "2026-11-20.sqlite-shm"), "r+");
      writeSync(index, Buffer.alloc(16_384), 0, 16_384, 16_384);
      closeSync(index);
      await expect(store.read(org, idOf(1, "2026-11-20"))).rejects.toMatchObject({ code: "damaged" });
      await store.remove(org, [idOf(1, "2026-11-20")]);
      expect(damaged(folder)).toEqual([]);
      expect((await store.read(org, idOf(2, "2026-11-20")))?.bytes).toEqual(
        payload(2, "2026-11-20", org, 2_500_000).bytes,
      );
      await store.put([payload(9)]);
      expect(await store.problems()).toEqual({ setAside: [], unusable: [] });
    }));

  test("that are damaged fail reads with a damage error", () =>
    withDamaged(async (open) => {
      const store = open();
      const id = idOf(1, "2026-11-20");
      const failure = await store.read(org, id).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: "damaged",
        message: expect.stringContaining("damaged or missing"),
      });
      expect((failure as Error).cause).toMatchObject({ message: expect.stringContaining(id) });
      await store[Symbol.asyncDispose]();
    }));

  test("that are damaged do not prevent removal", () =>
    withDamaged(async (open, _log, folder) => {
      const store = open();
      await store.put([payload(1, "2026-11-19")]);
      await store.remove(org, [idOf(1, "2026-11-20"), idOf(1, "2026-11-19")]);
      await store.removeDays("2026-11-21", org);
      await store.purge();
      expect(await store.read(org, idOf(1, "2026-11-19"))).toBeUndefined();
      expect(damaged(folder).length).toBe(1);
      await store[Symbol.asyncDispose]();
    }));

  const day = "2026-11-20";
  const failure = (put: readonly Payload[], fault: string, of = day) => ({ day: of, fault, payloads: put });
  /** Another program that has the file of the day open. */
  function otherProgram(folder: string, begin: string): { end(): void } {
    const other = new DatabaseSync(join(folder, `${day}.sqlite`));
    other.exec(begin);
    return { end: () => other.close() };
  }
  const reading = "BEGIN; SELECT count(*) FROM payloads";

  test("are written while they are being read, and the log shrinks again afterwards", () =>
    withStore(async (store, folder) => {
      await store.put([payload(1)]);
      const reader = otherProgram(folder, reading);
      const many = Array.from({ length: 60 }, (_, index) => payload(index + 10, day, org, 1_000_000));
      const storedIds = many.map(({ profileId }) => profileId);
      expect(await store.put(many)).toEqual(allNew);
      const logBytes = () => statSync(join(folder, `${day}.sqlite-wal`)).size;
      expect(logBytes()).toBeGreaterThan(60_000_000);
      reader.end();
      await store.put([payload(2)]);
      await store.put([payload(3)]);
      expect(logBytes()).toBeLessThan(40_000_000);
      expect(await Promise.all(storedIds.map((id) => store.read(org, id)))).not.toContain(undefined);
    }));

  test("of a day that another program has locked can be put again; other days do not wait", () =>
    withStore(async (store, folder) => {
      await store.put([payload(1), payload(1, "2026-11-19")]);
      const other = otherProgram(folder, "BEGIN IMMEDIATE");
      const result = await store.put([payload(2), payload(2, "2026-11-19"), payload(3)]);
      expect(result).toEqual({ possiblyStored: [], failedDays: [failure([payload(2), payload(3)], "busy")] });
      expect(await store.read(org, idOf(2, "2026-11-19"))).toBeDefined();
      expect(await store.read(org, idOf(1, day))).toBeDefined();
      await expect(store.remove(org, [idOf(1, day)])).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining(`Profiles of ${day} cannot be removed now: another program`),
      });
      other.end();
      expect(await store.put(result.failedDays[0]!.payloads)).toEqual(allNew);
      expect((await store.read(org, idOf(2, day)))?.bytes).toEqual(payload(2).bytes);
    }));

  test("of an earlier version wait for a reader once, to be converted, and never again", () =>
    withStore(async (store, folder) => {
      await store.put([payload(1)]);
      await store[Symbol.asyncDispose]();
      const old = new DatabaseSync(join(folder, `${day}.sqlite`));
      old.exec("PRAGMA journal_mode = TRUNCATE");
      old.exec(reading);
      const again = openPayloadFiles(join(folder, ".."), quietLog);
      expect((await again.put([payload(2)])).failedDays).toEqual([failure([payload(2)], "busy")]);
      expect(await again.read(org, idOf(1, day))).toBeDefined();
      old.close();
      expect(await again.put([payload(2)])).toEqual(allNew);
      const reader = otherProgram(folder, reading);
      expect(await again.put([payload(3)])).toEqual(allNew);
      reader.end();
      await again[Symbol.asyncDispose]();
    }));

  /** Byte 18 of an SQLite file is the version that a writer must know: any but 1 and 2 makes it read-only. */
  test("that are read-only are read; uploads of that day alone are refused, and the log says so once", async () => {
    const folder = temporaryFolder();
    const log = keepingLog();
    const first = openPayloadFiles(folder.path, quietLog);
    await first.put([payload(1)]);
    await first[Symbol.asyncDispose]();
    const file = join(folder.path, "payloads", `${day}.sqlite`);
    const setWriteVersion = (version: number) => {
      const bytes = readFileSync(file);
      bytes[18] = version;
      writeFileSync(file, bytes);
    };
    setWriteVersion(9);
    const store = openPayloadFiles(folder.path, log);
    const put = () => store.put([payload(2), payload(2, "2026-11-19")]);
    expect((await put()).failedDays).toEqual([failure([payload(2)], "unwritable")]);
    expect((await put()).possiblyStored).toHaveLength(1);
    expect((await store.read(org, idOf(1, day)))?.bytes).toEqual(payload(1).bytes);
    expect(log.lines).toEqual([
      {
        level: "error",
        message: expect.stringContaining("cannot be used"),
        fields: expect.objectContaining({ day, file }),
      },
    ]);
    await store[Symbol.asyncDispose]();
    setWriteVersion(2);
    const mended = openPayloadFiles(folder.path, quietLog);
    expect(await mended.put([payload(2)])).toEqual(allNew);
    await mended[Symbol.asyncDispose]();
    folder.remove();
  });

  /** Runs with a store that has the day's file open and then loses it, and with the one that is opened next. */
  async function withLost(
    lose: (file: string) => void,
    run: (store: PayloadStore, reopened: () => Promise<PayloadStore>, file: string) => Promise<void>,
  ): Promise<ReturnType<typeof keepingLog>> {
    const folder = temporaryFolder();
    const log = keepingLog();
    let store = openPayloadFiles(folder.path, log);
    const file = join(folder.path, "payloads", `${day}.sqlite`);
    await store.put([payload(1)]);
    lose(file);
    const reopened = async () => {
      await store[Symbol.asyncDispose]();
      store = openPayloadFiles(folder.path, log);
      return store;
    };
    try {
      await run(store, reopened, file);
    } finally {
      await store[Symbol.asyncDispose]();
      folder.remove();
    }
    return log;
  }
  const removeWith = (suffixes: readonly string[]) => (file: string) => {
    for (const each of suffixes) rmSync(file + each);
  };

  test.each([
    ["deleted", removeWith(["", "-wal", "-shm"])],
    ["deleted without its log", removeWith([""])],
    [
      "replaced by a copy",
      (file: string) => {
        cpSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
    ],
  ])("that are %s while they are open lose nothing that comes later", async (_, lose) => {
    const log = await withLost(lose, async (store, reopened) => {
      // The lost content of the file is unknown, so that the rows decide.
      const { possiblyStored, failedDays } = await store.put([payload(2)]);
      expect([ids(possiblyStored), failedDays]).toEqual([[idOf(2, day)], []]);
      expect((await store.read(org, idOf(2, day)))?.bytes).toEqual(payload(2).bytes);
      const next = await reopened();
      expect((await next.read(org, idOf(2, day)))?.bytes).toEqual(payload(2).bytes);
    });
    expect(log.lines.map(({ message }) => message)).toEqual([expect.stringContaining("deleted or replaced")]);
  });

  test("that are deleted while they are open are not created by reading", async () => {
    await withLost(removeWith(["", "-wal", "-shm"]), async (store, _reopened, file) => {
      expect(await store.read(org, idOf(1, day))).toBeUndefined();
      expect(existsSync(file)).toBe(false);
    });
  });

  test("that a folder replaces while they are open refuse that day until the folder is gone", async () => {
    const lose = (file: string) => {
      renameSync(file, `${file}.bak`);
      mkdirSync(file);
    };
    const log = await withLost(lose, async (store, _reopened, file) => {
      const result = await store.put([payload(2), payload(2, "2026-11-19")]);
      expect(result.failedDays).toEqual([failure([payload(2)], "unwritable")]);
      expect((await store.problems()).unusable).toMatchObject([{ day, fault: "unwritable" }]);
      rmdirSync(file);
      expect((await store.problems()).unusable).toEqual([]);
      expect((await store.put(result.failedDays[0]!.payloads)).failedDays).toEqual([]);
      expect((await store.read(org, idOf(2, day)))?.bytes).toEqual(payload(2).bytes);
    });
    expect(log.lines.filter(({ level }) => level === "error").length).toBeGreaterThan(1);
  });

  test("that a folder replaces do not affect storing, reading and removing other days", () =>
    withStore(async (store, folder) => {
      const blocked = join(folder, `${day}.sqlite`);
      mkdirSync(blocked);
      await store.put([payload(1, "2026-11-19")]);
      const result = await store.put([payload(2), payload(2, "2026-11-19")]);
      expect(result.failedDays).toEqual([failure([payload(2)], "unwritable")]);
      await expect(store.read(org, idOf(2, day))).rejects.toThrow(`Profiles of ${day} cannot be read now`);
      await store.removeDays("2026-11-21", org);
      expect(await store.read(org, idOf(2, "2026-11-19"))).toBeUndefined();
      await store.purge();
      await store.removeDays("2026-11-21");
      expect(readdirSync(folder)).toEqual([`${day}.sqlite`]);
      rmdirSync(blocked);
      expect(await store.put(result.failedDays[0]!.payloads)).toEqual(allNew);
    }));
});
