import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { backup, DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { type BackupOptions, makeBackup } from "./backup/make-backup.ts";
import { openBackup, openTarget } from "./backup/open-backups.ts";
import { checkBackup, restoreBackup } from "./backup/restore-backup.ts";
import { expectEqualCounts, opened, uploading } from "./backup/testing/uploading.ts";
import { storedCounts, storedProfiles } from "./features/ingest/testing/stored.ts";

let server: TestApp;
const program = fileURLToPath(new URL("back-up.ts", import.meta.url));
const copies = mkdtempSync(join(tmpdir(), "flamekeep-copies-"));
beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true });
});
afterAll(async () => {
  await server.close();
  rmSync(copies, { recursive: true });
});

async function vacuumInto(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(from, { readOnly: true });
  database.prepare("VACUUM INTO ?").run(to);
  database.close();
}

/** As `.backup` of the program sqlite3. */
async function onlineBackup(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(from, { readOnly: true });
  await backup(database, to, { rate: 100 });
  database.close();
}

/** Unfinished inserts have folders that may be renamed before cp reaches them: it prints a message and continues. */
function copyRunning(from: string, to: string): void {
  const { stderr } = spawnSync("cp", ["-a", from, to], { encoding: "utf8" });
  const complaints = stderr
    .split("\n")
    .filter((line) => line !== "" && !/No such file or directory$/.test(line));
  expect(complaints).toEqual([]);
}

/** In the order that docs/backups.md asks for. */
async function copyInOrder(
  from: string,
  to: string,
  copyDatabase: (from: string, to: string) => Promise<void>,
): Promise<void> {
  mkdirSync(to, { recursive: true });
  copyRunning(join(from, "columns"), join(to, "columns"));
  copyRunning(join(from, "uploads"), join(to, "uploads"));
  await copyDatabase(join(from, "flamekeep.sqlite"), join(to, "flamekeep.sqlite"));
  cpSync(join(from, "auth-secret"), join(to, "auth-secret"));
}

const copiesOfDatabase = [
  ["VACUUM INTO", vacuumInto],
  [".backup", onlineBackup],
] as const;

test.each(isFullLength ? copiesOfDatabase : copiesOfDatabase.slice(0, 1))(
  "a copy in order with %s, under load, has all that was acknowledged before, whole",
  async (name, copyDatabase) => {
    const { before, orgId, headers, stop } = await uploading(server, 30);
    const folder = join(copies, name.replaceAll(/\W/g, ""));
    await copyInOrder(server.ctx.config.dataDir, folder, copyDatabase);
    expect(await stop()).toBeGreaterThan(0);
    const copy = await opened(folder);
    await expectEqualCounts(copy, orgId);
    const ids = new Set((await storedProfiles(copy.ctx.columns, orgId)).map(({ profile_id }) => profile_id));
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    const url = `/api/v1/protected/flamegraph/${before[0]}`;
    expect((await copy.app.inject({ url, headers })).statusCode).toBe(200);
    await copy.close();
  },
);

test("a plain copy of a running server without uploads is complete", async () => {
  const { orgId, stop } = await uploading(server, 6);
  await stop();
  const folder = join(copies, "idle");
  copyRunning(server.ctx.config.dataDir, folder);
  const copy = await opened(folder);
  expect(await storedCounts(copy.ctx, orgId)).toEqual(await storedCounts(server.ctx, orgId));
  await copy.close();
});

test("a plain copy under load starts, with the rows of all profiles that were acknowledged before it", async () => {
  const { before, orgId, stop } = await uploading(server, 30);
  const folder = join(copies, "load");
  copyRunning(server.ctx.config.dataDir, folder);
  await stop();
  const copy = await opened(folder);
  const ids = new Set((await storedProfiles(copy.ctx.columns, orgId)).map(({ profile_id }) => profile_id));
  expect(before.filter((id) => !ids.has(id))).toEqual([]);
  await copy.close();
});

/** The settings of a server that has the data of this folder. */
const settingsAt = (dataDir: string) => ({ ...server.ctx.config, dataDir });

interface Options {
  readonly now?: Date;
  readonly keep?: number;
  readonly config?: BackupOptions["config"];
}

async function backUp(to: string, options: Options = {}) {
  const { config, version } = server.ctx;
  using target = await openTarget(to, config.objectStorage);
  const { place: folder, ...made } = await makeBackup({ config, version, to: target, ...options });
  return { folder, ...made };
}

async function check(folder: string) {
  using backup = await openBackup(folder, server.ctx.config.objectStorage);
  return checkBackup(backup);
}

async function restore(folder: string, config: TestApp["ctx"]["config"]) {
  using backup = await openBackup(folder, server.ctx.config.objectStorage);
  return restoreBackup(backup, config);
}

test("a backup under load, restored elsewhere, has all that was acknowledged before", async () => {
  const { before, orgId, headers, stop } = await uploading(server, 30);
  const { folder, files } = await backUp(join(copies, "backups"));
  expect(await stop()).toBeGreaterThan(0);
  expect((await check(folder)).files).toHaveLength(files);
  const dataDir = join(copies, "restored");
  await restore(folder, settingsAt(dataDir));
  const copy = await opened(dataDir);
  await expectEqualCounts(copy, orgId);
  const ids = new Set((await storedProfiles(copy.ctx.columns, orgId)).map(({ profile_id }) => profile_id));
  expect(before.filter((id) => !ids.has(id))).toEqual([]);
  const url = `/api/v1/protected/flamegraph/${before[0]}`;
  expect((await copy.app.inject({ url, headers })).statusCode).toBe(200);
  await copy.close();
});

test("a second backup shares the files that did not change, and old ones are removed", async () => {
  const { stop } = await uploading(server, 6);
  await stop();
  const to = join(copies, "repeated");
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
  for (const name of ["2025-12-31T00-00-00Z.part", "holiday.part"])
    mkdirSync(join(to, name), { recursive: true });
  const first = await backUp(to, { now: at(1) });
  const second = await backUp(to, { now: at(2) });
  expect(first.sharedBytes).toBe(0);
  // The database of accounts is written again.
  const rowBytes = statSync(join(second.folder, "flamekeep.sqlite")).size;
  expect(second.sharedBytes).toBeGreaterThan((second.bytes - rowBytes) / 2);
  const third = await backUp(to, { now: at(3), keep: 2 });
  expect(third.removed).toEqual(["2026-01-01T00-00-01Z"]);
  expect(readdirSync(to)).toEqual([
    "2026-01-01T00-00-02Z",
    "2026-01-01T00-00-03Z",
    "backup.lock",
    "holiday.part",
  ]);
  // Shared files of the removed backup are still there.
  await check(second.folder);
  await check(third.folder);
  expect(readdirSync(server.ctx.config.dataDir).filter((name) => name.startsWith("backup-links"))).toEqual(
    [],
  );
});

test("a damaged backup is named, and nothing of it is left in the data folder", async () => {
  const { folder } = await backUp(join(copies, "damaged"));
  const { files } = await check(folder);
  const { path } = files.toSorted((a, b) => b.bytes - a.bytes)[0]!;
  const bytes = readFileSync(join(folder, path));
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(join(folder, path), bytes);
  const dataDir = join(copies, "nothing");
  const damaged = `The backup ${folder} is damaged: ${path} is not what was written. Use another one.`;
  await expect(check(folder)).rejects.toThrow(damaged);
  await expect(restore(folder, settingsAt(dataDir))).rejects.toThrow(damaged);
  expect(readdirSync(dataDir)).toEqual([]);
  // An empty disk, and a restore that was killed.
  mkdirSync(join(dataDir, "lost+found"));
  mkdirSync(join(dataDir, "restoring"));
  await expect(restore(folder, settingsAt(dataDir))).rejects.toThrow(damaged);
  rmSync(join(folder, path));
  await expect(check(folder)).rejects.toThrow(`${path} is missing`);
});

test("a restore goes on after one that was killed, and two into one folder do not mix", async () => {
  const { folder } = await backUp(join(copies, "restored twice"));
  const dataDir = join(copies, "twice");
  for (const left of ["restoring", "restoring/files"]) {
    mkdirSync(join(dataDir, left), { recursive: true });
    writeFileSync(join(dataDir, left, "auth-secret"), "the beginning of a fi");
  }
  const both = await Promise.allSettled([
    restore(folder, settingsAt(dataDir)),
    restore(folder, settingsAt(dataDir)),
  ]);
  expect(both.filter(({ status }) => status === "fulfilled").length).toBe(1);
  expect(both.filter(({ status }) => status === "rejected")).toMatchObject([
    { reason: { message: `Another restore uses ${join(dataDir, "restoring")}: wait for its end.` } },
  ]);
  const { files } = await check(folder);
  expect(files.length).toBeGreaterThan(10);
  for (const { path, bytes } of files)
    expect([path, statSync(join(dataDir, path)).size]).toEqual([path, bytes]);
  expect(existsSync(join(dataDir, "restoring"))).toBe(false);
});

test("backups and restores that would lose something are refused", async () => {
  const { config } = server.ctx;
  await expect(backUp(join(config.dataDir, "inside"))).rejects.toThrow("choose a folder outside of it");
  await expect(backUp("/proc/flamekeep/copies")).rejects.toThrow("/proc/flamekeep/copies cannot be written");
  const { folder } = await backUp(join(copies, "refused"));
  await expect(restore(folder, config)).rejects.toThrow(`${config.dataDir} is not empty`);
  await expect(restore(copies, settingsAt(join(copies, "new")))).rejects.toThrow("is no backup");
  const rows = { kind: "postgres", url: "postgres://localhost/none" } as const;
  const otherStores = { ...settingsAt(join(copies, "new")), rows };
  await expect(restore(folder, otherStores)).rejects.toThrow(
    "DATABASE_URL is set, but the backup is of a server with the built-in store",
  );
  const secret = {
    ...settingsAt(join(copies, "new")),
    authSecret: "another secret of 32 characters and more",
  };
  await expect(restore(folder, secret)).rejects.toThrow("AUTH_SECRET differs from the secret of the backup");
  expect(existsSync(join(copies, "new"))).toBe(false);
  await expect(backUp(join(copies, "refused"), { now: new Date("2026-01-01") })).rejects.toThrow(
    "which is not older than this one. Correct the clock",
  );
  const stores = join(config.dataDir, "stores.json");
  writeFileSync(stores, JSON.stringify({ columns: "url" }));
  await expect(backUp(join(copies, "stores"))).rejects.toThrow(
    "CLICKHOUSE_URL is not set, but the profiles of",
  );
  rmSync(stores);
});

test("one backup of a data folder runs at a time, and one into a folder", async () => {
  const to = join(copies, "at once");
  const results = await Promise.allSettled([backUp(to), backUp(join(copies, "another"))]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const other = join(copies, "other data");
  cpSync(server.ctx.config.dataDir, other, { recursive: true });
  const config = settingsAt(other);
  const rows = { kind: "sqlite", file: join(other, "flamekeep.sqlite") } as const;
  const both = await Promise.allSettled([
    backUp(join(copies, "shared")),
    backUp(join(copies, "shared"), { config: { ...config, rows } }),
  ]);
  expect(both.filter(({ status }) => status === "rejected")).toMatchObject([
    { reason: { message: `Another backup uses ${join(copies, "shared")}: wait for its end.` } },
  ]);
  // A killed one has left its links.
  mkdirSync(join(server.ctx.config.dataDir, "backup-links"));
  await check((await backUp(join(copies, "after a kill"))).folder);
});

test("symbolic links that leave the data folder are refused, in it and in a backup", async () => {
  const day = join(server.ctx.config.dataDir, "uploads", "2026-01-01");
  symlinkSync(copies, day);
  await expect(backUp(join(copies, "linked"))).rejects.toThrow("is a symbolic link to");
  rmSync(day);
  const { folder } = await backUp(join(copies, "hostile"));
  const path = join(folder, "backup.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const [file] = manifest.files;
  for (const change of [
    { symbolicLinks: [{ path: "a", target: copies }] },
    { symbolicLinks: [{ path: "a", target: "../x" }] },
    { symbolicLinks: [{ path: "columns", target: "uploads" }], files: [{ ...file, path: "columns/x" }] },
    { files: [{ ...file, path: "../x" }] },
  ]) {
    writeFileSync(path, JSON.stringify({ ...manifest, ...change }));
    await expect(check(folder)).rejects.toThrow("is damaged, or from a later version");
  }
});

test("only the server's user can read a backup", async () => {
  const { folder } = await backUp(join(copies, "private"));
  const { files } = await check(folder);
  const modes = [folder, ...files.map(({ path }) => join(folder, path))].map((path) => statSync(path).mode);
  expect(modes.filter((mode) => (mode & 0o077) !== 0)).toEqual([]);
});

test("the commands answer with one message, and say what to change", () => {
  const run = (...args: string[]) => {
    const env = { ...process.env, DATA_DIR: server.ctx.config.dataDir, LOG_LEVEL: "silent" };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      env,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };
  const to = join(copies, "by command");
  const made = run("backup", to, "--keep", "3");
  expect(made).toMatchObject({ status: 0, stderr: "" });
  const [, folder = ""] = /^(.*Z) has \d+ files, [\d.]+ MB, 0\.0 MB of them shared/.exec(made.stdout) ?? [];
  expect(run("restore", "--check", folder)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/Z is complete: \d+ files, [\d.]+ MB, of 2/),
  });
  expect(run("restore", folder).stderr).toContain("is not empty: a backup is restored into an empty folder");
  // The latest of all.
  expect(run("restore", "--check", to).stdout).toBe(run("restore", "--check", folder).stdout);
  expect(run("restore", "--list", to).stdout).toMatch(/^.*Z: \d+ files, [\d.]+ MB, of 2.*\n$/);
  expect(run("restore", copies).stderr).toContain(
    "is no backup: it has no backup.json. Name the folder of one backup",
  );
  for (const wrong of [
    [],
    ["a", "b"],
    ["a", "--keep", "0"],
    ["a", "--fast"],
    ["--list", to],
    ["--check", to],
  ]) {
    const { status, stderr } = run("backup", ...wrong);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("Usage: npm run backup -- FOLDER [--keep N]"),
    ]);
  }
});
