import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { damagedPartOf } from "#store/column/client/damage.ts";
import { faultIn } from "#store/payloads/day-unavailable.ts";
import { isDiskFull } from "./disk-space.ts";
import { storageFaultOf } from "./storage-fault.ts";

function thrownBy(operation: () => unknown): unknown {
  try {
    operation();
  } catch (error) {
    return error;
  }
  throw new Error("the operation did not fail");
}

it.each(["ENOSPC", "EDQUOT", "243"])("a store that reports %s has no room", (code) => {
  const error = Object.assign(new Error("no room"), { code });
  expect([storageFaultOf(error), faultIn("/tmp", error, () => undefined), isDiskFull(error)]).toEqual([
    "full",
    "full",
    true,
  ]);
  expect(isDiskFull(new Error("insert failed", { cause: error }))).toBe(true);
});

it("a SQLite database that cannot grow is full", () => {
  const database = new DatabaseSync(":memory:");
  database.exec("PRAGMA max_page_count = 2; CREATE TABLE data (bytes BLOB)");
  const error = thrownBy(() => database.exec("INSERT INTO data VALUES (zeroblob(100000))"));
  expect([storageFaultOf(error), faultIn("/tmp", error, () => undefined), isDiskFull(error)]).toEqual([
    "full",
    "full",
    true,
  ]);
});

it("a SQLite database that cannot be opened is unusable, and a payload file of that kind unwritable", () => {
  const error = thrownBy(() => new DatabaseSync("/proc/flamekeep.sqlite"));
  expect([storageFaultOf(error), faultIn("/tmp", error, () => undefined), isDiskFull(error)]).toEqual([
    "unusable",
    "unwritable",
    false,
  ]);
});

it("a column store whose file system became read-only is unusable, not damaged", () => {
  const part = "/data/columns/store/43a/43a00679-ba9d-4108-8d4f-788a29964c0e/tmp_insert_20261120_9_9_1";
  const messages = [
    [1001, `filesystem error: in create_directories: Read-only file system ["${part}"]`],
    [
      76,
      `Cannot open file ${part}/data.bin: , errno: 30, strerror: Read-only file system. (CANNOT_OPEN_FILE)`,
    ],
    [75, "Cannot write to file, errno: 5, strerror: Input/output error. (CANNOT_WRITE_TO_FILE_DESCRIPTOR)"],
  ] as const;
  for (const [code, message] of messages) {
    const error = Object.assign(new Error(message), { code: String(code) });
    expect([message, storageFaultOf(error)]).toEqual([message, "unusable"]);
    expect([message, damagedPartOf(code, message)]).toEqual([message, undefined]);
  }
});

it.each([
  ["SQLITE_PERM", 3, "unusable"],
  ["SQLITE_BUSY_SNAPSHOT", 517, "busy"],
  ["SQLITE_LOCKED", 6, "busy"],
  ["SQLITE_READONLY_DBMOVED", 1032, "unusable"],
  ["SQLITE_IOERR_READ", 266, "unusable"],
  ["SQLITE_CORRUPT_INDEX", 779, "damaged"],
  ["SQLITE_FULL", 13, "full"],
  ["SQLITE_CANTOPEN_ISDIR", 526, "unusable"],
  ["SQLITE_NOTADB", 26, "damaged"],
  ["SQLITE_CONSTRAINT_UNIQUE", 2067, undefined],
])("%s (%i) of SQLite is %s", (_, errcode, fault) => {
  expect(storageFaultOf(Object.assign(new Error("x"), { code: "ERR_SQLITE_ERROR", errcode }))).toBe(fault);
});

it("other errors are no fault of the disk", () => {
  for (const error of [undefined, new Error("other"), Object.assign(new Error("x"), { code: "ENOENT" })]) {
    expect([storageFaultOf(error), isDiskFull(error)]).toEqual([undefined, false]);
  }
});
