import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedCounts } from "#ingest/testing/stored.ts";
import { openDiskSpace } from "#store/disk-space.ts";
import { openPayloadLog } from "#store/payloads/payload-log.ts";
import { startApp, type TestApp, testPassword } from "#testing/start-app.ts";

const MiB = 1024 * 1024;
const sentence = expect.stringMatching(/^The disk is full: nothing is stored until space is freed/);

async function senderTo(server: TestApp) {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = async (value: number, app = server.app) => {
    const profile = pprofOf({
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      samples: [[`main;handle${value}`, 1, value]],
      timeNs: BigInt(Date.now()) * 1_000_000n,
      durationNs: 1n,
    });
    const reply = await server.trySend(profile, { app, headers });
    return { status: reply.statusCode, retryAfter: reply.headers["retry-after"], ...reply.json() };
  };
  return { ...person, keyHeaders: headers, send };
}

function payloadBytes(server: TestApp): number {
  const folder = join(server.ctx.config.dataDir, "uploads");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

describe("without room on the disk", () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startApp({ hasSeparateColumns: true });
  });
  afterAll(() => server.close());

  /** The same server, with a disk that has this many bytes free. */
  const appWith = (freeBytes: () => number) =>
    server.createApp({ disk: { ...server.ctx.disk, freeBytes: async () => freeBytes() } });

  test("uploads are refused with 507 before anything of them is written", async () => {
    const { send, orgId } = await senderTo(server);
    const app = await appWith(() => server.ctx.disk.reserveBytes - 1);
    const before = payloadBytes(server);
    expect(await send(1, app)).toMatchObject({
      status: 507,
      code: "disk_full",
      error: sentence,
      retryAfter: "60",
    });
    expect(payloadBytes(server)).toBe(before);
    expect(server.ctx.metrics.toText()).toContain('flamekeep_ingest_refused_total{reason="disk_full"} 1');
    const ready = await app.inject("/readyz");
    expect([ready.statusCode, ready.body]).toEqual([503, expect.stringContaining("is full: ")]);
    await app.close();
    expect(await send(1)).toMatchObject({ status: 200, duplicate: false });
    expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 1, payloads: 1, rolledUp: 1 });
  });

  test("a batch that would go below the reserve leaves nothing, and all of it can be sent again", async () => {
    const { send, orgId } = await senderTo(server);
    // Room for no byte beyond the reserve.
    const app = await appWith(() => server.ctx.disk.reserveBytes);
    const before = payloadBytes(server);
    const replies = await Promise.all([1, 2, 3].map((value) => send(value, app)));
    await app.close();
    expect(replies.map(({ status, error }) => [status, error])).toEqual(Array(3).fill([507, sentence]));
    expect(payloadBytes(server)).toBe(before);
    const again = await Promise.all([1, 2, 3].map((value) => send(value)));
    expect(again.map(({ status, duplicate }) => [status, duplicate])).toEqual(Array(3).fill([200, false]));
    expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 3, payloads: 3, rolledUp: 3 });
  });

  test("uploads that fit above the reserve are stored even if their batch does not fit", async () => {
    const [one, other] = [await senderTo(server), await senderTo(server)];
    const app = await appWith(() => server.ctx.disk.reserveBytes + 4096);
    const large = (sender: typeof one) =>
      server.trySend(
        pprofOf({
          sampleTypes: ["samples/count", "cpu/nanoseconds"],
          samples: Array.from({ length: 500 }, (_, i) => [`main;large${i}`, 1, i] as const),
          timeNs: BigInt(Date.now()) * 1_000_000n,
          durationNs: 1n,
        }),
        { app, headers: sender.keyHeaders },
      );
    const replies = await Promise.all([
      large(other).then(({ statusCode }) => statusCode),
      ...[1, 2, 3, 4].map((value) => one.send(value, app).then(({ status }) => status)),
    ]);
    await app.close();
    expect(replies).toEqual([507, 200, 200, 200, 200]);
    expect(await storedCounts(server.ctx, one.orgId)).toMatchObject({
      profiles: 4,
      payloads: 4,
      rolledUp: 4,
    });
  });

  test("uploads that follow each other do not use the same room twice before the disk is measured again", async () => {
    const { send, keyHeaders } = await senderTo(server);
    const { reserveBytes } = server.ctx.disk;
    const room = 1024 * 1024;
    const disk = openDiskSpace(
      "/",
      reserveBytes,
      async () => reserveBytes + room,
      () => 0,
    );
    const app = await server.createApp({ disk });
    const statuses: number[] = [];
    for (let sent = 0; sent < 60 && statuses.at(-1) !== 507; sent++) {
      const payload = pprofOf({
        sampleTypes: ["samples/count", "cpu/nanoseconds"],
        samples: Array.from({ length: 200 }, (_, i) => [`main;room${sent}at${i}`, 1, i] as const),
        timeNs: BigInt(Date.now()) * 1_000_000n,
        durationNs: 1n,
      });
      statuses.push((await server.trySend(payload, { app, headers: keyHeaders })).statusCode);
    }
    await app.close();
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 507]);
    expect(await send(1)).toMatchObject({ status: 200 });
  });

  test("the server is ready with less than twice the reserve free, and reports a nearly full disk", async () => {
    const app = await appWith(() => 2 * server.ctx.disk.reserveBytes - 1);
    const ready = await app.inject("/readyz");
    expect([ready.statusCode, ready.body]).toEqual([200, expect.stringContaining("is nearly full: ")]);
    const { headers } = await server.signUp();
    const status = (await app.inject({ url: "/api/v1/status", headers })).json();
    await app.close();
    expect(status).toMatchObject({
      status: "degraded",
      message: expect.stringMatching(/^disk: is nearly full: \d+ [GM]B free$/),
    });
  });
});

/** A separate file system in memory, or why there is none. */
function mountSmall(): { readonly path: string; unmount(): void } | string {
  const path = mkdtempSync(join(tmpdir(), "flamekeep-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=160m", "tmpfs", path], { stdio: "pipe" });
  } catch (error) {
    rmSync(path, { recursive: true });
    return `no tmpfs can be mounted here (root can): ${(error as Error).message.split("\n")[0]}`;
  }
  return {
    path,
    unmount: () => {
      execFileSync("umount", [path]);
      rmSync(path, { recursive: true });
    },
  };
}

const disk = mountSmall();
if (typeof disk === "string") console.info(`skipped: ${disk}`);

describe.skipIf(typeof disk === "string")("a real disk without a free byte", () => {
  const { path, unmount } = disk as Exclude<typeof disk, string>;
  const filler = join(path, "filler");
  let server: TestApp;
  beforeAll(async () => {
    const env = { DATA_DIR: join(path, "data"), DISK_RESERVE_BYTES: String(16 * MiB) };
    server = await startApp({ hasSeparateColumns: true, env });
  });
  afterAll(async () => {
    await server.close();
    unmount();
  });

  function freeBytes(): number {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  }

  /** As any other program on the machine may. */
  function fill(leaveBytes: number): void {
    const chunk = Buffer.alloc(64 * 1024, 1);
    try {
      while (freeBytes() > leaveBytes) writeFileSync(filler, chunk, { flag: "a" });
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
    }
  }

  test("a day whose file is not open is read", async () => {
    const dataDir = join(path, "other");
    mkdirSync(dataDir);
    const profileId = `${"0".repeat(24)}${Math.floor(Date.now() / 1000).toString(16)}`;
    const payload = { orgId: randomUUID(), profileId, type: "cpu", bytes: Uint8Array.of(1, 2, 3) } as const;
    const before = openPayloadLog(dataDir, server.ctx.log);
    await before.put([{ ...payload, bytes: payload.bytes.slice() }]);
    await before[Symbol.asyncDispose]();
    fill(0);
    const store = openPayloadLog(dataDir, server.ctx.log);
    expect((await store.read(payload.orgId, profileId))?.bytes).toEqual(payload.bytes);
    await store[Symbol.asyncDispose]();
    rmSync(filler);
  });

  test("reading, signing in and registering go on; uploads get 507, leave nothing, and are stored later", async () => {
    const person = await senderTo(server);
    const { headers, send, email } = person;
    const stored = await send(1);
    expect(stored.status).toBe(200);
    // Rows that wait are stored once there is room again.
    await server.ctx.columns.awaitedRows.settled(undefined);
    fill(0);
    expect(freeBytes()).toBe(0);
    // The answer must not come from a cache.
    const app = await server.createApp();
    const statusOf = async (url: string) => (await app.inject({ url, headers })).statusCode;
    const id = stored.profile_id;
    const protectedPath = "/api/v1/protected";
    for (const url of [
      `/profiles?since=24h`,
      "/summary",
      `/flamegraph/${id}`,
      `/profile/${id}`,
      `/profile/${id}/download`,
    ]) {
      expect([url, await statusOf(protectedPath + url)]).toEqual([url, 200]);
    }
    for (let round = 0; round < 40; round++) {
      const payload = { email, password: testPassword };
      const reply = await app.inject({ method: "POST", url: "/auth/login", payload });
      expect([round, reply.statusCode]).toEqual([round, 200]);
    }
    await expect(server.signUp("someone.new@example.com")).resolves.toMatchObject({
      orgId: expect.any(String),
    });
    await expect.poll(() => server.ctx.disk.freeBytes(), { timeout: 5_000 }).toBeLessThan(16 * MiB);
    expect(await send(2)).toMatchObject({ status: 507, error: sentence });
    expect(await storedCounts(server.ctx, person.orgId)).toMatchObject({
      profiles: 1,
      payloads: 1,
      rolledUp: 1,
    });
    await app.close();
    rmSync(filler);
    // Other files of the server take and give back some pages meanwhile.
    await expect.poll(() => server.ctx.disk.freeBytes(), { timeout: 5_000 }).toBeGreaterThan(64 * MiB);
    expect(await send(2)).toMatchObject({ status: 200, duplicate: false });
    expect(await storedCounts(server.ctx, person.orgId)).toMatchObject({
      profiles: 2,
      payloads: 2,
      rolledUp: 2,
    });
  });
});
