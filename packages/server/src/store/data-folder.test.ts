import { expect, it } from "vitest";
import { openAt } from "./data-folder.ts";
import { StoreRefused } from "./unavailable.ts";

const path = "/nowhere/data/columns";
const full = `The disk that holds ${path} is full: as many bytes as DISK_RESERVE_BYTES says (256 MiB by default) must be free. Make room there, or set DATA_DIR to another folder.`;

it.each([
  ["a full disk", systemError("ENOSPC"), full],
  ["an SQLite file on a full disk", sqliteError(13, "database or disk is full"), full],
  ["an engine that lacks room", new Error("insert", { cause: engineError("243") }), full],
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

function systemError(code: string, at = `${path}/mark`): Error {
  return Object.assign(new Error(`${code}: refused`), { code, path: at });
}

function sqliteError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });
}

function engineError(code: string): Error {
  return Object.assign(new Error("not enough space"), { code });
}
