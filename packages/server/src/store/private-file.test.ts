import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRowStore } from "#store/row/row-store.ts";
import { quietLog, temporaryFolder } from "#store/testing/backends.ts";
import { makePrivate } from "./private-file.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;

test("a file that was open to all is its owner's alone, and keeps its content", () => {
  const folder = temporaryFolder();
  const path = join(folder.path, "file");
  writeFileSync(path, "content", { mode: 0o644 });
  makePrivate(path);
  expect([modeOf(path), statSync(path).size]).toEqual([0o600, 7]);
  folder.remove();
});

test("only their owner can read the database of accounts and keys and its write-ahead log", async () => {
  const folder = temporaryFolder();
  const rows = await openRowStore({ kind: "sqlite", file: join(folder.path, "rows.sqlite") }, quietLog);
  const names = readdirSync(folder.path);
  expect(names).toContain("rows.sqlite-wal");
  expect(names.map((name) => modeOf(join(folder.path, name)))).toEqual(names.map(() => 0o600));
  await rows.destroy();
  folder.remove();
});
