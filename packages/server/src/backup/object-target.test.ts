import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Config } from "#config";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { openObjects } from "#store/objects/open-objects.ts";
import { type S3Fault, type S3Server, startS3Server, testBucket } from "#store/objects/testing/s3-server.ts";
import { sha256 } from "#store/objects/testing/signature.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { makeBackup } from "./make-backup.ts";
import { objectTarget } from "./object-target.ts";
import { openBackup, openTarget } from "./open-backups.ts";
import { checkBackup, restoreBackup } from "./restore-backup.ts";
import { expectEqualCounts, opened, uploading } from "./testing/uploading.ts";

const program = fileURLToPath(new URL("../back-up.ts", import.meta.url));
const place = `s3://${testBucket}/server one`;
const folder = mkdtempSync(join(tmpdir(), "flamekeep-objects-"));
let app: TestApp;
let server: S3Server;
beforeAll(async () => {
  app = await startApp({ hasSeparateColumns: true });
  const { stop } = await uploading(app, 6);
  await stop();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  server = await startS3Server();
});
afterEach(() => server[Symbol.asyncDispose]());

const objectStorage = () => ({
  endpoint: server.endpoint,
  region: "us-east-1",
  isPathStyle: true,
  credentials: server.keys,
});

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

async function backUp(options: { now?: Date; keep?: number; config?: Config } = {}) {
  using to = await openTarget(place, objectStorage());
  return makeBackup({ config: app.ctx.config, version: app.ctx.version, to, ...options });
}

async function check(backup = place) {
  using source = await openBackup(backup, objectStorage());
  return checkBackup(source);
}

async function restore(dataDir: string, backup = place) {
  using source = await openBackup(backup, objectStorage());
  return restoreBackup(source, { ...app.ctx.config, dataDir });
}

const keysOf = (kind: string) =>
  [...server.objects.keys()]
    .filter((key) => key.startsWith(`server one/${kind}/`))
    .map((key) => key.slice(`server one/${kind}/`.length));

/** Files that were sent, by their sum. */
const sent = () =>
  server.requests.flatMap(({ operation, key }) =>
    operation === "PutObject" && key.startsWith("server one/files/") ? [key] : [],
  );

/** The program, whose output is returned with its code. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: app.ctx.config.dataDir,
      LOG_LEVEL: "silent",
      S3_ENDPOINT: server.endpoint,
      S3_ACCESS_KEY_ID: server.keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: server.keys.secretAccessKey,
      ...env,
    },
  });
  const output = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]).then(
    ([[status], stdout, stderr]) => ({ status: status as number | null, stdout, stderr }),
  );
  return { child, output };
}

test("a backup under load, restored elsewhere, has all that was acknowledged before", async () => {
  const { before, orgId, headers, stop } = await uploading(app, 30);
  const made = await backUp();
  expect(await stop()).toBeGreaterThan(0);
  expect(made.place).toMatch(/^s3:\/\/profiles\/server one\/2.*Z$/);
  expect((await check(made.place)).files).toHaveLength(made.files);
  const dataDir = join(folder, "restored");
  await restore(dataDir, made.place);
  const copy = await opened(dataDir);
  await expectEqualCounts(copy, orgId);
  const ids = new Set((await storedProfiles(copy.ctx.columns, orgId)).map(({ profile_id }) => profile_id));
  expect(before.filter((id) => !ids.has(id))).toEqual([]);
  const url = `/api/v1/protected/flamegraph/${before[0]}`;
  expect((await copy.app.inject({ url, headers })).statusCode).toBe(200);
  await copy.close();
});

test("the next backup sends only new files, and removes those that no backup needs", async () => {
  const first = await backUp({ now: at(1) });
  expect(new Set(sent()).size).toBe(sent().length);
  expect(sent().length).toBeGreaterThan(20);
  const { stop } = await uploading(app, 3);
  await stop();
  const known = new Set(keysOf("files"));
  server.requests.length = 0;
  const second = await backUp({ now: at(2) });
  expect(sent().length).toBeGreaterThan(0);
  expect(sent().filter((key) => known.has(key.slice("server one/files/".length)))).toEqual([]);

  const third = await backUp({ now: at(3), keep: 2 });
  expect(third.sharedBytes).toBeGreaterThan(third.bytes / 2);
  expect(third.removed).toEqual(["2026-01-01T00-00-01Z"]);
  expect(keysOf("backups")).toEqual(["2026-01-01T00-00-02Z.json", "2026-01-01T00-00-03Z.json"]);
  const named = [await check(second.place), await check()].flatMap(({ files }) => files);
  expect(keysOf("files").toSorted()).toEqual([...new Set(named.map((file) => file.sha256))].toSorted());
  expect(keysOf("leases")).toEqual([]);
  await expect(check(first.place)).rejects.toThrow(`${place} has no backup 2026-01-01T00-00-01Z`);
});

test("a killed backup is never a backup, and the next one goes on at once and tidies up", async () => {
  let files = 0;
  const { child, output } = run(["backup", place]);
  server.onRequest = async ({ operation, key }) => {
    if (operation === "PutObject" && key.startsWith("server one/files/") && ++files > 20)
      child.kill("SIGKILL");
    return undefined;
  };
  expect((await output).status).toBeNull();
  server.onRequest = () => undefined;
  expect([keysOf("backups"), keysOf("leases").length]).toEqual([[], 1]);
  await expect(check()).rejects.toThrow(`${place} has no backup: name the bucket and prefix`);
  // Objects of a file that has changed since, and of a large one.
  const store = await openObjects(objectStorage(), { bucket: testBucket, prefix: "server one/" });
  await store.put(`files/${sha256("former")}`, Buffer.from("former"));
  server.uploads.set("left", { key: `server one/files/${sha256("large")}`, parts: new Map() });
  const left = new Set(keysOf("files"));
  server.requests.length = 0;
  await backUp();
  expect(left.size).toBeGreaterThan(15);
  expect(sent().filter((key) => left.has(key.slice("server one/files/".length)))).toEqual([]);
  const { files: named } = await check();
  expect(keysOf("files").toSorted()).toEqual([...new Set(named.map((file) => file.sha256))].toSorted());
  expect([server.uploads.size, keysOf("leases")]).toEqual([0, []]);
  store[Symbol.dispose]();
});

test("a damaged file is named with its object, and nothing of it is left in the data folder", async () => {
  const { place: backup } = await backUp();
  const { files } = await check();
  // The row store may have changed by the next backup, which then has another file of it.
  const stable = files.filter((file) => file.path !== "flamekeep.sqlite");
  const { path, sha256: sum } = stable.toSorted((a, b) => b.bytes - a.bytes)[0]!;
  const { bytes } = server.objects.get(`server one/files/${sum}`)!;
  bytes[bytes.length >> 1]! ^= 1;
  const dataDir = join(folder, "nothing");
  const damaged = `The backup ${backup} is damaged: ${path} (files/${sum}) is not what was written. Use another one.`;
  await expect(check()).rejects.toThrow(damaged);
  await expect(restore(dataDir)).rejects.toThrow(damaged);
  expect(readdirSync(dataDir)).toEqual([]);
  server.objects.delete(`server one/files/${sum}`);
  await expect(check()).rejects.toThrow(`${path} (files/${sum}) is missing`);
  // The server still has the file.
  await backUp({ now: new Date(Date.now() + 2000) });
  await check(backup);
  server.objects.get([...server.objects.keys()].find((key) => key.includes("/backups/"))!)!.bytes[0] = 0;
  await expect(check(backup)).rejects.toThrow("is damaged, or from a later version");
});

test("backups of two data folders at once do not harm each other", async () => {
  const dataDir = join(folder, "other data");
  cpSync(app.ctx.config.dataDir, dataDir, { recursive: true });
  const rows = { kind: "sqlite", file: join(dataDir, "flamekeep.sqlite") } as const;
  const config = { ...app.ctx.config, dataDir, rows };
  const both = await Promise.allSettled([backUp({ now: at(1) }), backUp({ config, now: at(2) })]);
  const rejected = both.filter((each) => each.status === "rejected");
  expect(rejected.length).toBeGreaterThan(0);
  for (const { reason } of rejected)
    expect(reason.message).toContain(`Another backup uses ${place}: wait for its end.`);
  const made = both.length - rejected.length;
  expect(keysOf("backups")).toHaveLength(made);
  if (made > 0) await check();

  // One on another machine is killed.
  const lease = { bytes: Buffer.from("{}"), etag: '"1"', changedMs: Date.now() - 500_000 };
  server.objects.set("server one/leases/other", lease);
  await expect(backUp({ now: at(3) })).rejects.toThrow("is forgotten after 10 minutes");
  lease.changedMs -= 200_000;
  await backUp({ now: at(3) });
  await check();
  expect(keysOf("leases")).toEqual([]);
});

test("a backup that another has taken over is not one", async () => {
  server.onRequest = ({ operation, key }) => {
    const [lease] = keysOf("leases");
    if (operation === "PutObject" && key.includes("/files/"))
      server.objects.delete(`server one/leases/${lease}`);
    return undefined;
  };
  await expect(backUp()).rejects.toThrow(`Another backup has taken over ${place}`);
  expect(keysOf("backups")).toEqual([]);
  // In the last moment.
  server.onRequest = ({ operation, key }) => {
    const [lease] = keysOf("leases");
    if (operation === "PutObject" && key.includes("/backups/"))
      server.objects.delete(`server one/leases/${lease}`);
    return undefined;
  };
  await expect(backUp()).rejects.toThrow("has taken over");
  expect(keysOf("backups")).toEqual([]);
});

test("a running backup shows that it runs", async () => {
  const dataDir = mkdtempSync(join(folder, "alone-"));
  const store = await openObjects(objectStorage(), { bucket: testBucket, prefix: "" });
  const target = objectTarget(store, { refreshMs: 2, silentMsMax: 600_000 });
  const written = () => server.requests.filter(({ operation }) => operation === "PutObject").length;
  const locked = await target.lock(dataDir);
  await expect.poll(written).toBeGreaterThan(3);
  await locked[Symbol.asyncDispose]();
  expect([server.objects.size, readdirSync(dataDir)]).toEqual([0, []]);
  target[Symbol.dispose]();
});

test("brief faults of the storage do not fail a backup or a restore", async () => {
  const faults: readonly S3Fault[] = [
    { kind: "error", status: 500, code: "InternalError" },
    { kind: "cut" },
    { kind: "cut-after" },
    { kind: "flip-upload" },
    { kind: "cut-body" },
  ];
  let count = 0;
  let failed = 0;
  server.onRequest = () => (++count % 7 === 0 ? faults[failed++ % faults.length] : undefined);
  await backUp();
  await restore(join(folder, "after faults"));
  expect(failed).toBeGreaterThan(10);
});

test("a large file that changes while it is sent is sent again", async () => {
  const from = mkdtempSync(join(folder, "changing-"));
  const content = Buffer.alloc(20 * 1024 * 1024, 1);
  writeFileSync(join(from, "large"), content);
  let parts = 0;
  server.onRequest = ({ operation }) => {
    const file = openSync(join(from, "large"), "r+");
    if (operation === "UploadPart" && ++parts === 1) writeSync(file, Buffer.from([2]), 0, 1, 19_000_000);
    // Bytes that are appended do not matter.
    writeSync(file, Buffer.from([3]), 0, 1, content.length + parts);
    return undefined;
  };
  const store = await openObjects(objectStorage(), { bucket: testBucket, prefix: "" });
  using target = objectTarget(store);
  await using locked = await target.lock(from);
  const tree = { folders: [], files: [], symbolicLinks: [] };
  const writer = await locked.begin({ name: "x", before: undefined, from, tree });
  const { bytes, sha256: sum } = await writer.add("large");
  const stored = server.objects.get(`files/${sum}`)!.bytes;
  expect([stored.length, sha256(stored), stored[19_000_000]]).toEqual([bytes, sum, 2]);
  expect([server.uploads.size, [...server.objects.keys()].filter((key) => key.startsWith("files/"))]).toEqual(
    [0, [`files/${sum}`]],
  );
});

test("the commands answer with one message, and never with a secret", async () => {
  const made = await run(["backup", place, "--keep", "3"]).output;
  expect(made).toMatchObject({ status: 0, stderr: "" });
  const [, backup = ""] = /^(s3:.*Z) has \d+ files, [\d.]+ MB, /.exec(made.stdout) ?? [];
  const checked = `${backup} is complete: `;
  for (const each of [place, `${place}/`, backup])
    expect((await run(["restore", "--check", each]).output).stdout).toContain(checked);
  expect((await run(["restore", "--list", place]).output).stdout).toMatch(/^s3:.*Z: \d+ files, .*\n$/);
  const none = await run(["restore", "--list", "s3://profiles/none"]).output;
  expect(none).toEqual({ status: 0, stdout: "s3://profiles/none has no backup.\n", stderr: "" });
  const dataDir = join(folder, "by command");
  const restored = await run(["restore", place], { DATA_DIR: dataDir }).output;
  expect(restored).toMatchObject({ status: 0, stdout: expect.stringContaining(`restored into ${dataDir}`) });
  expect(readdirSync(dataDir)).toContain("columns");
  expect(readFileSync(join(dataDir, "auth-secret"))).toEqual(
    readFileSync(join(app.ctx.config.dataDir, "auth-secret")),
  );
  const wrong = await run(["backup", place], { S3_SECRET_ACCESS_KEY: "another secret" }).output;
  expect([wrong.status, wrong.stdout]).toEqual([1, ""]);
  expect(wrong.stderr).toContain("does not accept the access key (SignatureDoesNotMatch)");
  expect(wrong.stderr).not.toContain("another secret");
  const missing = await run(["restore", "s3://missing/x"]).output;
  expect(missing.stderr).toContain("has no bucket missing: create it");
});
