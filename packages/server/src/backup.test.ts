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
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { makeBackup } from "./backup/make-backup.ts";
import { checkBackup, restoreBackup } from "./backup/restore-backup.ts";
import { pprofOf } from "./features/ingest/testing/pprof-of.ts";
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

/** Uploads without a pause until `stop`, which returns the ids of all acknowledged profiles. */
async function uploading(first: number) {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const acknowledged: string[] = [];
  let next = 0;
  let isStopped = false;
  const sendOne = async () => {
    const value = next++;
    const payload = pprofOf({
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      samples: [[`main;handle${value}`, 1, value]],
      timeNs: BigInt(Date.now()) * 1_000_000n,
      durationNs: 1n,
    });
    acknowledged.push((await server.send(payload, { headers })).profile_id);
  };
  while (next < first) await Promise.all([sendOne(), sendOne(), sendOne()]);
  const before = [...acknowledged];
  const keepSending = async () => {
    while (!isStopped) await sendOne();
  };
  const senders = [keepSending(), keepSending(), keepSending()];
  return {
    ...person,
    before,
    stop: async () => {
      isStopped = true;
      await Promise.all(senders);
      return acknowledged.length - before.length;
    },
  };
}

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

async function opened(dataDir: string): Promise<TestApp> {
  const copy = await startApp({ hasSeparateColumns: true, env: { DATA_DIR: dataDir } });
  expect(copy.ctx.columns.health().lostParts).toEqual([]);
  expect(await copy.ctx.columns.quarantined()).toEqual([]);
  return copy;
}

test.each([
  ["VACUUM INTO", vacuumInto],
  [".backup", onlineBackup],
] as const)(
  "a copy in order with %s, under load, has all that was acknowledged before, whole",
  async (name, copyDatabase) => {
    const { before, orgId, headers, stop } = await uploading(30);
    const folder = join(copies, name.replaceAll(/\W/g, ""));
    await copyInOrder(server.ctx.config.dataDir, folder, copyDatabase);
    expect(await stop()).toBeGreaterThan(0);
    const copy = await opened(folder);
    expect((await countsOnceRecovered(copy, orgId)).profiles).toBeGreaterThanOrEqual(30);
    const ids = new Set((await storedProfiles(copy.ctx.columns, orgId)).map(({ profile_id }) => profile_id));
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    const url = `/api/v1/protected/flamegraph/${before[0]}`;
    expect((await copy.app.inject({ url, headers })).statusCode).toBe(200);
    await copy.close();
  },
);

test("a plain copy of a running server without uploads is complete", async () => {
  const { orgId, stop } = await uploading(6);
  await stop();
  const folder = join(copies, "idle");
  copyRunning(server.ctx.config.dataDir, folder);
  const copy = await opened(folder);
  expect(await storedCounts(copy.ctx, orgId)).toEqual(await storedCounts(server.ctx, orgId));
  await copy.close();
});

test("a plain copy under load starts, with the rows of all profiles that were acknowledged before it", async () => {
  const { before, orgId, stop } = await uploading(30);
  const folder = join(copies, "load");
  copyRunning(server.ctx.config.dataDir, folder);
  await stop();
  const copy = await opened(folder);
  const ids = new Set((await storedProfiles(copy.ctx.columns, orgId)).map(({ profile_id }) => profile_id));
  expect(before.filter((id) => !ids.has(id))).toEqual([]);
  await copy.close();
});

/** The counts once they agree: a read in the first moments of a start may come before the recount of the last hours begins. */
async function countsOnceRecovered(copy: TestApp, orgId: string) {
  const different = async () => {
    const { profiles, payloads, rolledUp } = await storedCounts(copy.ctx, orgId);
    return [payloads, rolledUp].filter((count) => count !== profiles);
  };
  await expect.poll(different, { timeout: 60_000 }).toEqual([]);
  return storedCounts(copy.ctx, orgId);
}

/** The settings of a server that has the data of this folder. */
const settingsAt = (dataDir: string) => ({ ...server.ctx.config, dataDir });

const backUp = (to: string, options: { now?: Date; keep?: number } = {}) =>
  makeBackup({ config: server.ctx.config, version: server.ctx.version, to, ...options });

test("a backup under load, restored elsewhere, has all that was acknowledged before", async () => {
  const { before, orgId, headers, stop } = await uploading(30);
  const { folder, files } = await backUp(join(copies, "backups"));
  expect(await stop()).toBeGreaterThan(0);
  expect((await checkBackup(folder)).files).toHaveLength(files);
  const dataDir = join(copies, "restored");
  await restoreBackup(folder, settingsAt(dataDir));
  const copy = await opened(dataDir);
  await countsOnceRecovered(copy, orgId);
  const ids = new Set((await storedProfiles(copy.ctx.columns, orgId)).map(({ profile_id }) => profile_id));
  expect(before.filter((id) => !ids.has(id))).toEqual([]);
  const url = `/api/v1/protected/flamegraph/${before[0]}`;
  expect((await copy.app.inject({ url, headers })).statusCode).toBe(200);
  await copy.close();
});

test("a second backup shares the files that did not change, and old ones are removed", async () => {
  const { stop } = await uploading(6);
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
  await checkBackup(second.folder);
  await checkBackup(third.folder);
  expect(readdirSync(server.ctx.config.dataDir).filter((name) => name.startsWith("backup-links"))).toEqual(
    [],
  );
});

test("a damaged backup is named, and nothing of it is left in the data folder", async () => {
  const { folder } = await backUp(join(copies, "damaged"));
  const { files } = await checkBackup(folder);
  const { path } = files.toSorted((a, b) => b.bytes - a.bytes)[0]!;
  const bytes = readFileSync(join(folder, path));
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(join(folder, path), bytes);
  const dataDir = join(copies, "nothing");
  const damaged = `The backup ${folder} is damaged: ${path} is not what was written. Use another one.`;
  await expect(checkBackup(folder)).rejects.toThrow(damaged);
  await expect(restoreBackup(folder, settingsAt(dataDir))).rejects.toThrow(damaged);
  expect(readdirSync(dataDir)).toEqual([]);
  // An empty disk, and a restore that was killed.
  mkdirSync(join(dataDir, "lost+found"));
  mkdirSync(join(dataDir, "restoring"));
  await expect(restoreBackup(folder, settingsAt(dataDir))).rejects.toThrow(damaged);
  rmSync(join(folder, path));
  await expect(checkBackup(folder)).rejects.toThrow(`${path} is missing`);
});

test("backups and restores that would lose something are refused", async () => {
  const { config } = server.ctx;
  await expect(backUp(join(config.dataDir, "inside"))).rejects.toThrow("choose a folder outside of it");
  const { folder } = await backUp(join(copies, "refused"));
  await expect(restoreBackup(folder, config)).rejects.toThrow(`${config.dataDir} is not empty`);
  await expect(restoreBackup(copies, settingsAt(join(copies, "new")))).rejects.toThrow("is no backup");
  const rows = { kind: "postgres", url: "postgres://localhost/none" } as const;
  const otherStores = { ...settingsAt(join(copies, "new")), rows };
  await expect(restoreBackup(folder, otherStores)).rejects.toThrow(
    "DATABASE_URL is set, but the backup is of a server with the built-in store",
  );
  const secret = {
    ...settingsAt(join(copies, "new")),
    authSecret: "another secret of 32 characters and more",
  };
  await expect(restoreBackup(folder, secret)).rejects.toThrow(
    "AUTH_SECRET differs from the secret of the backup",
  );
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
    makeBackup({ config: { ...config, rows }, version: "1", to: join(copies, "shared") }),
  ]);
  expect(both.filter(({ status }) => status === "rejected")).toMatchObject([
    { reason: { message: `Another backup uses ${join(copies, "shared")}: wait for its end.` } },
  ]);
  // A killed one has left its links.
  mkdirSync(join(server.ctx.config.dataDir, "backup-links"));
  await checkBackup((await backUp(join(copies, "after a kill"))).folder);
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
    await expect(checkBackup(folder)).rejects.toThrow("is damaged, or from a later version");
  }
});

test("only the server's user can read a backup", async () => {
  const { folder } = await backUp(join(copies, "private"));
  const { files } = await checkBackup(folder);
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
  expect(run("restore", to).stderr).toContain(
    "is no backup: it has no backup.json. Name the folder of one backup",
  );
  for (const wrong of [[], ["a", "b"], ["a", "--keep", "0"], ["a", "--fast"]]) {
    const { status, stderr } = run("backup", ...wrong);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("Usage: npm run backup -- FOLDER [--keep N]"),
    ]);
  }
});
