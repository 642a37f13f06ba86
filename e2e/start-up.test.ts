import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, test } from "vitest";
import { signUp } from "./harness/sign-up.ts";
import { failToStart, freePort, startFlamekeep } from "./harness/start-flamekeep.ts";

const folder = mkdtempSync(join(tmpdir(), "flamekeep-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = (text: string) => text.trimEnd().split("\n");

describe("a start that cannot succeed says why and exits with a code", () => {
  test("the port is in use", async () => {
    const port = await freePort();
    const other = createServer().listen(port, "127.0.0.1");
    try {
      const { exitCode, stderr } = await failToStart({
        PORT: String(port),
        DATA_DIR: join(folder, "a"),
        LOG_LEVEL: "error",
      });
      expect(lines(stderr)).toEqual([expect.stringContaining(`Port ${port} is in use`)]);
      expect(exitCode).toBe(1);
    } finally {
      other.close();
    }
  });

  test("the data folder cannot be written", async () => {
    // A file in place of the folder also stops root, unlike permissions.
    const file = join(folder, "file");
    writeFileSync(file, "");
    const { exitCode, stderr } = await failToStart({ PORT: "0", DATA_DIR: join(file, "data") });
    expect(lines(stderr)).toEqual([expect.stringContaining(join(file, "data"))]);
    expect(exitCode).not.toBe(0);
  });

  test("the data folder holds data that other stores would hide", async () => {
    const dataDir = join(folder, "built-in");
    await using flamekeep = await startFlamekeep({ dataDir, env: { DEMO: "off" } });
    await signUp(flamekeep.url);
    await flamekeep.stop("SIGTERM");
    const { exitCode, stderr } = await failToStart({
      PORT: "0",
      DATA_DIR: dataDir,
      DATABASE_URL: "postgres://127.0.0.1:1/flamekeep",
      CLICKHOUSE_URL: "http://127.0.0.1:1/flamekeep",
      AUTH_SECRET: "s".repeat(32),
    });
    expect(stderr).toContain(`DATABASE_URL is set, but ${dataDir} holds accounts`);
    expect(stderr).toContain(`CLICKHOUSE_URL is set, but ${dataDir} holds profiles`);
    expect(exitCode).toBe(78);
  });

  test.skipIf(process.getuid?.() !== 0)("the disk has no room, and how much is needed", async () => {
    const dataDir = join(folder, "full");
    mkdirSync(dataDir);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=32m", "tmpfs", dataDir]);
    expect(mounted.status, String(mounted.stderr)).toBe(0);
    try {
      const { exitCode, stderr } = await failToStart({ PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "fatal" });
      expect(lines(stderr)).toEqual([
        expect.stringMatching(/is full \([\d.]+ MiB are free\): as many bytes as DISK_RESERVE_BYTES says/),
      ]);
      expect(exitCode).toBe(1);
    } finally {
      spawnSync("umount", [dataDir]);
    }
  });

  test("settings are wrong, and each is named", async () => {
    const { exitCode, stderr } = await failToStart({
      PORT: "http",
      RETENTION_DAYS: "0",
      DATA_DIR: join(folder, "b"),
    });
    expect(stderr).toContain("PORT must be a whole number from 0 to 65535");
    expect(stderr).toContain("RETENTION_DAYS must be a whole number from 1 to 3650");
    expect(stderr).not.toContain("    at ");
    expect(exitCode).toBe(78);
  });
});
