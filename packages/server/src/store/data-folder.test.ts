import { existsSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "#store/testing/backends.ts";
import { diskIsFull, openAt, prepareDataFolder } from "./data-folder.ts";
import { StoreRefused } from "./unavailable.ts";

const path = "/nowhere/data/columns";
const full = `The disk that holds ${path} is full: as many bytes as DISK_RESERVE_BYTES says (256 MiB by default) must be free. Make room there, or set DATA_DIR to another folder.`;

it.each([
  ["a full disk", systemError("ENOSPC"), full],
  ["an SQLite file on a full disk", sqliteError(13, "database or disk is full"), full],
  ["an engine that lacks room", new Error("insert", { cause: engineError("243") }), full],
  [
    "a file system without locks",
    sqliteError(3850, "disk I/O error"),
    `${path} cannot be locked (disk I/O error), because its file system has no locks. Mount it with locks (NFS from version 4 on), or set DATA_DIR to a folder on a local disk.`,
  ],
  [
    "another user's file",
    systemError("EACCES"),
    `${path}/mark cannot be used (EACCES). Give it to this user, or set DATA_DIR to another folder.`,
  ],
  [
    "a read-only SQLite file",
    sqliteError(8 | (4 << 8), "attempt to write a readonly database"),
    `${path} cannot be used (attempt to write a readonly database). Give it to this user, or set DATA_DIR to another folder.`,
  ],
])("%s is reported with the remedy", async (_, cause, words) => {
  const opening = openAt(path, "folder", () => Promise.reject(cause));
  await expect(opening).rejects.toEqual(new StoreRefused(words, { cause }));
});

it.each([
  ["a fault of ours", new TypeError("x is not a function")],
  ["a fault of SQL", sqliteError(1, "no such table: users")],
  ["a missing file of the program", systemError("ENOENT", "/program/migrations")],
  ["a refusal that already explains itself", new StoreRefused("It is in use.")],
])("%s is thrown as it is", async (_, cause) => {
  await expect(openAt(path, "folder", () => Promise.reject(cause))).rejects.toBe(cause);
});

it("a full disk is reported with what is free", () => {
  const { bavail, bsize } = statfsSync("/");
  const [, free] = /is full \((\d+\.\d) MiB are free\):/.exec(diskIsFull("/")) ?? [];
  expect(Number(free) / ((bavail * bsize) / 2 ** 20)).toBeCloseTo(1, 1);
});

it("the data folder is created with its parents, for its owner alone, and used again", async () => {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, "new", "data");
  for (let start = 0; start < 2; start++) await prepareDataFolder(dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder.path, "new")).mode & 0o777).toBe(0o700);
  folder.remove();
});

it("a data folder that cannot be made is refused", async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "file");
  writeFileSync(file, "");
  for (const [dataDir, code] of [
    [file, "EEXIST"],
    [join(file, "data"), "ENOTDIR"],
    ["/proc/flamekeep/data", "ENOENT"],
  ] as const)
    await expect(prepareDataFolder(dataDir)).rejects.toThrow(
      `The data folder ${dataDir} cannot be written (${code}). Give it to this user or set DATA_DIR.`,
    );
  folder.remove();
});

it("a folder in the place of a file is refused before it is opened, and the reverse", async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "file");
  writeFileSync(file, "");
  const open = (path: string, kind: "file" | "folder") => openAt(path, kind, () => existsSync(path));
  await expect(open(folder.path, "file")).rejects.toThrow(`${folder.path} must be a file. Move it away`);
  await expect(open(file, "folder")).rejects.toThrow(`${file} must be a folder. Move it away`);
  expect([await open(file, "file"), await open(folder.path, "folder")]).toEqual([true, true]);
  folder.remove();
});

function systemError(code: string, at = `${path}/mark`): Error {
  return Object.assign(new Error(`${code}: refused`), { code, path: at });
}

function sqliteError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });
}

function engineError(code: string): Error {
  return Object.assign(new Error("not enough space"), { code });
}
