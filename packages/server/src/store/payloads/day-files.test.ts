import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { temporaryFolder } from "#store/testing/backends.ts";
import { DayFiles } from "./day-files.ts";
import { DayUnavailable } from "./day-unavailable.ts";

const day = "2026-11-20";
const payload = {
  orgId: "0198f0a0-0000-7000-8000-000000000000",
  profileId: `${"a".repeat(24)}${(Date.parse(`${day}T12:00:00Z`) / 1000).toString(16)}`,
  type: "cpu" as const,
  bytes: new Uint8Array(10),
};

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder.path, `${day}.sqlite`));
});
afterAll(() => folder.remove());

it.each([
  ["the folder can be changed", undefined, "unwritable", 1, /Profiles of other days are not affected\.$/],
  ["the folder belongs to another user", "EPERM", "unwritable", 1, /Profiles of other days/],
  ["the disk is read-only", "EROFS", "unwritable_disk", 0, /the disk of the server cannot be written/],
  ["the disk reports errors", "EIO", "unwritable_disk", 0, /the disk of the server cannot be written/],
])("a file that cannot be opened while %s", (_, code, fault, problems, sentence) => {
  const files = new DayFiles(folder.path, () => {
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  });
  expect(files.put([payload]).faults).toMatchObject([{ day, fault }]);
  expect(files.problems().unusable).toHaveLength(problems);
  expect(new DayUnavailable("stored", day, files.faultOf(new Error("no file"))).message).toMatch(sentence);
  files.close();
});

it("a commit is on disk when it returns", () => {
  const opened = vi.spyOn(DatabaseSync.prototype, "exec");
  const other = temporaryFolder();
  const files = new DayFiles(other.path, () => undefined);
  try {
    expect(files.put([payload]).faults).toEqual([]);
    const databases = new Set(opened.mock.contexts as DatabaseSync[]);
    expect(databases.size).toBeGreaterThan(0);
    for (const database of databases) {
      expect(database.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
      expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    }
  } finally {
    files.close();
    other.remove();
    opened.mockRestore();
  }
});
