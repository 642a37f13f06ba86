import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type S3Server, startS3Server, testBucket } from "#store/objects/testing/s3-server.ts";
import { temporaryFolder } from "#store/testing/backends.ts";
import type { Payload, PayloadStore } from "./payload-store.ts";
import { forgetIndexes, segmentsElsewhere } from "./segment-file.ts";
import { openMovingLog, recover } from "./testing/moving-log.ts";

const org = "7f000000-0000-4000-8000-000000000001";
const otherOrg = "7f000000-0000-4000-8000-000000000002";
const day = "2026-11-20";
const allDays = "2149-01-01";

let folder: ReturnType<typeof temporaryFolder>;
let s3: S3Server;
let open: PayloadStore[];
beforeEach(async () => {
  folder = temporaryFolder();
  s3 = await startS3Server();
  open = [];
});
afterEach(async () => {
  s3.onRequest = () => undefined;
  for (const log of open) await log[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
  folder.remove();
});

function idOf(index: number, ofDay = day): string {
  const seconds = Date.parse(`${ofDay}T12:00:00Z`) / 1000 + index;
  return index.toString(16).padStart(24, "0") + seconds.toString(16).padStart(8, "0");
}

/** Found wherever it is stored. */
const textOf = (index: number) => `<bytes of upload ${index}>`;

function payload(index: number, orgId = org, ofDay = day): Payload {
  const bytes = new Uint8Array(Buffer.from(textOf(index).repeat(20 + index)));
  return { orgId, profileId: idOf(index, ofDay), type: "cpu", bytes, repeat: { index } };
}

const place = () => ({ endpoint: s3.endpoint, keys: s3.keys, bucket: testBucket });

async function start(dataDir = folder.path): Promise<PayloadStore> {
  const log = await openMovingLog(dataDir, place());
  open.push(log);
  await recover(log);
  return log;
}

async function stop(log: PayloadStore): Promise<void> {
  open.splice(open.indexOf(log), 1);
  await log[Symbol.asyncDispose]();
}

/** A stop stores the rows of all uploads. */
async function restart(log: PayloadStore, dataDir = folder.path): Promise<PayloadStore> {
  await stop(log);
  return start(dataDir);
}

async function filled(payloads: readonly Payload[]): Promise<PayloadStore> {
  const log = await start();
  const { number } = await log.put(payloads);
  await log.confirm(number);
  return restart(log);
}

const files = (dataDir = folder.path) => globSync(join(dataDir, "uploads/2*/*.log"));
const uploadKeys = () => [...s3.objects.keys()].filter((key) => key.endsWith(".log"));

function isAnywhere(index: number): boolean {
  const stored = [...s3.objects.values()].map(({ bytes }) => bytes);
  const onDisk = globSync(join(folder.path, "**/*"), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  expect(stored.length + onDisk.length).toBeGreaterThan(0);
  return [...stored, ...onDisk].some((bytes) => bytes.includes(textOf(index)));
}

async function expectAll(log: PayloadStore, payloads: readonly Payload[]): Promise<void> {
  expect(payloads.length).toBeGreaterThan(0);
  for (const { orgId, profileId, bytes } of payloads) {
    const read = await log.read(orgId, profileId);
    expect(Buffer.from(read!.bytes).equals(bytes), profileId).toBe(true);
  }
}

describe("original bytes in object storage", () => {
  const payloads = [payload(1), payload(2), payload(3, otherOrg), payload(4, org, "2026-11-21")];

  it("are read as they were sent, by their organization, and take no room on the disk", async () => {
    let log = await filled(payloads);
    await log.moveToObjects!();
    expect(files()).toEqual([]);
    expect(uploadKeys()).toHaveLength(2);
    expect(log.moved!()).toMatchObject({ waitingBytes: 0, fault: undefined, url: "s3://profiles/originals" });
    expect(log.moved!().bytes).toBe(
      uploadKeys().reduce((sum, key) => sum + s3.objects.get(key)!.bytes.length, 0),
    );
    for (let round = 1; round <= 2; round++) {
      s3.requests.length = 0;
      await expectAll(log, payloads);
      expect(s3.requests.map(({ operation }) => operation)).toEqual(Array(4).fill("GetObject"));
      expect(await log.read(otherOrg, idOf(1))).toBeUndefined();
      expect(await log.read(org, idOf(99))).toBeUndefined();
      s3.requests.length = 0;
      const again = await log.put([payload(2), payload(5 + round)]);
      expect(again.existing.map(({ profileId }) => profileId)).toEqual([idOf(2)]);
      await log.confirm(again.number);
      log = await restart(log);
      // Neither an upload nor a start asks object storage anything.
      expect(s3.requests).toEqual([]);
    }
    expect((await log.problems()).segments).toEqual([]);
  });

  it("stay on the disk until their rows are stored, while they are new, and in a damaged file", async () => {
    const log = await start();
    await log.put(payloads);
    await log.moveToObjects!();
    expect([files().length, uploadKeys().length]).toEqual([2, 0]);
    await stop(log);
    const waiting = await openMovingLog(folder.path, place(), 1);
    open.push(waiting);
    await recover(waiting);
    await waiting.moveToObjects!();
    expect([files().length, uploadKeys().length]).toEqual([2, 0]);
    await stop(waiting);
    const [first = "", second = ""] = files();
    truncateSync(first, statSync(first).size - 1);
    rmSync(`${first}.index`, { force: true });
    const next = await restart(await start());
    await next.moveToObjects!();
    expect(files()).toEqual([first]);
    expect(uploadKeys().map((key) => key.split("/").at(-1))).toEqual([second.split("/").at(-1)]);
  });

  it("are back once an operator puts the objects into the folder, without the setting too", async () => {
    const log = await filled(payloads);
    await log.moveToObjects!();
    await stop(log);
    let elsewhere = 0;
    for await (const { bytes } of segmentsElsewhere(join(folder.path, "uploads")))
      elsewhere += Number(bytes > 0);
    expect(elsewhere).toBe(2);
    for (const key of uploadKeys())
      writeFileSync(join(folder.path, key.replace("originals", "uploads")), s3.objects.get(key)!.bytes);
    s3.objects.clear();
    await expectAll(await start(), payloads);
  });

  it("can be repeated, each file with one request, once the column store is rebuilt", async () => {
    const log = await filled(payloads);
    await log.moveToObjects!();
    await stop(log);
    await forgetIndexes(join(folder.path, "uploads"));
    for (let round = 1; round <= 2; round++) {
      // A first rebuild was killed.
      s3.requests.length = 0;
      const next = await openMovingLog(folder.path, place());
      open.push(next);
      const found = [];
      for await (const each of next.leftBehind()) found.push(each);
      for (const { profileId, read } of found) {
        const expected = payloads.find((each) => each.profileId === profileId)!;
        expect((await read())?.repeat).toEqual(expected.repeat);
      }
      expect(found).toHaveLength(4);
      if (round === 2) await next.endRecovery();
      await stop(next);
    }
    const done = await start();
    await expectAll(done, payloads);
    expect(globSync(join(folder.path, "fetched-uploads/*"))).toEqual([]);
  });

  it("can be removed while a start reads them", async () => {
    const moved = await filled(payloads);
    await moved.moveToObjects!();
    await stop(moved);
    await forgetIndexes(join(folder.path, "uploads"));
    const log = await openMovingLog(folder.path, place());
    open.push(log);
    const found: string[] = [];
    for await (const { profileId, read } of log.leftBehind()) {
      if (found.length === 0) await log.remove(org, [idOf(2)]);
      if ((await read()) !== undefined) found.push(profileId);
    }
    expect(found).toEqual(expect.arrayContaining([idOf(1), idOf(3), idOf(4, "2026-11-21")]));
    await log.endRecovery();
    expect(await log.read(org, idOf(2))).toBeUndefined();
  });
});

describe("a removal", () => {
  const payloads = [1, 2, 3].map((index) => payload(index)).concat(payload(4, otherOrg));

  it("erases records from their objects, and the others stay, also for an index of before", async () => {
    const log = await filled(payloads);
    await log.moveToObjects!();
    const before = join(folder.path, "backup");
    cpSync(join(folder.path, "uploads"), join(before, "uploads"), { recursive: true });
    expect(isAnywhere(2)).toBe(true);
    await log.remove(org, [idOf(2), idOf(4)]);
    expect(isAnywhere(2)).toBe(false);
    expect(isAnywhere(4)).toBe(true);
    for (const each of [log, await start(before)]) {
      expect(await each.read(org, idOf(2)).catch(() => undefined)).toBeUndefined();
      await expectAll(each, [payload(1), payload(3), payload(4, otherOrg)]);
    }
    // It can be stored again.
    const again = await log.put([payload(2)]);
    expect(again.existing).toEqual([]);
    await expectAll(log, [payload(2)]);
  });

  it("of an organization or of all records removes what nobody has any more", async () => {
    const log = await filled(payloads);
    await log.moveToObjects!();
    await log.removeDays(allDays, org);
    expect([1, 2, 3, 4].map(isAnywhere)).toEqual([false, false, false, true]);
    expect(uploadKeys()).toHaveLength(1);
    await log.remove(otherOrg, [idOf(4)]);
    expect([...s3.objects.keys()]).toEqual(["originals/owner"]);
    expect(globSync(join(folder.path, "uploads/**/*.index"))).toEqual([]);
  });

  it("of days removes their objects, also those that no file refers to", async () => {
    const log = await filled([...payloads, payload(9, org, "2026-11-21")]);
    await log.moveToObjects!();
    s3.objects.set("originals/2026-11-01/000001-lost.log", s3.objects.get(uploadKeys()[0]!)!);
    await log.removeDays("2026-11-21");
    expect(uploadKeys()).toHaveLength(1);
    expect([1, 9].map(isAnywhere)).toEqual([false, true]);
  });

  it("of content leaves the records on the disk", async () => {
    const log = await filled(payloads);
    await log.moveToObjects!();
    await log.dropContent(allDays);
    expect([1, 2, 3, 4].map(isAnywhere)).toEqual([false, false, false, false]);
    expect(uploadKeys()).toEqual([]);
    const next = await restart(log);
    expect(await next.read(org, idOf(1))).toMatchObject({ isDropped: true });
    expect((await next.put([payload(1)])).existing).toHaveLength(1);
    await next.moveToObjects!();
    expect(uploadKeys()).toEqual([]);
  });

  it("ends after any request that fails, and erases everything when it is repeated", async () => {
    let failing = 0;
    for (let isDone = false; !isDone; failing++) {
      folder.remove();
      s3.objects.clear();
      const log = await filled(payloads);
      await log.moveToObjects!();
      let requests = 0;
      s3.onRequest = () =>
        requests++ === failing ? { kind: "error", status: 403, code: "AccessDenied" } : undefined;
      isDone = await log.remove(org, [idOf(1), idOf(3)]).then(
        () => true,
        (error: Error) => {
          expect(error.message).toContain(`Profiles of ${day} cannot be removed now`);
          return false;
        },
      );
      s3.onRequest = () => undefined;
      await expectAll(log, [payload(2), payload(4, otherOrg)]);
      const next = await restart(log);
      await next.remove(org, [idOf(1), idOf(3)]);
      expect([1, 2, 3, 4].map(isAnywhere)).toEqual([false, true, false, true]);
      await expectAll(next, [payload(2), payload(4, otherOrg)]);
      await stop(next);
    }
    // Fetch, store the file and its index, and compare.
    expect(failing).toBe(5);
  });
});

const child = fileURLToPath(new URL("testing/moving-log.ts", import.meta.url));

/** Kills a process that moves the uploads at its nth request, before or after object storage has done it. */
async function killAt(request: number, isAfter: boolean, removed: readonly string[]): Promise<boolean> {
  const ids = removed.length === 0 ? [] : [org, ...removed];
  const run = spawn(process.execPath, [child, folder.path, JSON.stringify(place()), ...ids], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(run, "exit");
  let requests = 0;
  s3.onRequest = async () => {
    if (requests++ !== request) return undefined;
    run.kill("SIGKILL");
    await ended;
    return isAfter ? { kind: "cut-after" } : { kind: "cut" };
  };
  const [, signal] = await ended;
  s3.onRequest = () => undefined;
  return signal === "SIGKILL";
}

describe("a kill", () => {
  it("at any request loses nothing, and what it interrupted is done by the next run", async () => {
    const payloads = [payload(1), payload(2), payload(3, otherOrg)];
    const removed = [idOf(2)];
    let kills = 0;
    for (let request = 0; ; request++) {
      const isAfter = request % 2 === 1;
      folder.remove();
      s3.objects.clear();
      await stop(await filled(payloads));
      const isKilled = await killAt(request, isAfter, removed);
      const log = await start();
      await expectAll(log, [payload(1), payload(3, otherOrg)]);
      if (isAfter) {
        // Nothing else has to come first.
        await log.remove(org, removed);
        expect(isAnywhere(2), `request ${request}`).toBe(false);
      }
      await log.moveToObjects!();
      expect(files()).toEqual([]);
      await expectAll(log, [payload(1), payload(3, otherOrg)]);
      await log.remove(org, removed);
      expect([1, 2, 3].map(isAnywhere), `request ${request}`).toEqual([true, false, true]);
      await stop(log);
      if (!isKilled) break;
      kills++;
    }
    expect(kills).toBeGreaterThan(8);
  }, 120_000);
});

describe("object storage that is away", () => {
  it("leaves uploads as they are; what is there answers 503, and what is not waits on the disk", async () => {
    const payloads = [payload(1), payload(2)];
    let log = await filled(payloads);
    await log.moveToObjects!();
    s3.onRequest = () => ({ kind: "error", status: 403, code: "AccessDenied" });
    await expect(log.read(org, idOf(1))).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(`Profiles of ${day} cannot be read now: .* object storage`),
    });
    const { number, existing, failedDays } = await log.put([payload(1), payload(3)]);
    expect([existing.length, failedDays.length]).toEqual([1, 0]);
    await expectAll(log, [payload(3)]);
    await log.confirm(number);
    log = await restart(log);
    await expect(log.moveToObjects!()).rejects.toThrow("denies");
    const { waitingBytes, fault } = log.moved!();
    expect([waitingBytes, fault?.message]).toEqual([
      statSync(files()[0]!).size,
      expect.stringContaining("denies"),
    ]);
    s3.onRequest = () => undefined;
    await log.moveToObjects!();
    expect(log.moved!()).toMatchObject({ waitingBytes: 0, fault: undefined });
    await expectAll(log, [...payloads, payload(3)]);
    expect(files()).toEqual([]);
  });

  it("with other bytes than those that were sent keeps the file", async () => {
    const log = await filled([payload(1)]);
    s3.onRequest = ({ operation, key }) => {
      const object = s3.objects.get(key);
      if (operation === "GetObject" && object !== undefined && key.endsWith(".log")) object.bytes[70]! ^= 1;
      return undefined;
    };
    await expect(log.moveToObjects!()).rejects.toThrow("has other bytes than those that were stored");
    s3.onRequest = () => undefined;
    expect(files()).toHaveLength(1);
    await expectAll(log, [payload(1)]);
    await log.moveToObjects!();
    await expectAll(log, [payload(1)]);
    expect(files()).toEqual([]);
  });

  it("that loses what it has stored keeps the file, and is not sent it again at once", async () => {
    const log = await filled([payload(1)]);
    s3.onRequest = ({ operation, key }) => {
      if (operation === "GetObject" && key.endsWith(".log")) s3.objects.delete(key);
      return undefined;
    };
    await expect(log.moveToObjects!()).rejects.toThrow("has other bytes than those that were stored");
    expect(files()).toHaveLength(1);
    await expectAll(log, [payload(1)]);
  });

  it("with a damaged index on the disk stores uploads, and reports it", async () => {
    let log = await filled([payload(1)]);
    await log.moveToObjects!();
    await stop(log);
    const [index = ""] = globSync(join(folder.path, "uploads/2*/*.index"));
    const bytes = readFileSync(index);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(index, bytes);
    log = await start();
    const { existing, failedDays } = await log.put([payload(2)]);
    expect([existing, failedDays]).toEqual([[], []]);
    await expectAll(log, [payload(2)]);
    expect(await log.read(org, idOf(1))).toBeUndefined();
    expect((await log.problems()).segments).toMatchObject([{ reason: "its index is damaged" }]);
    await stop(log);
    writeFileSync(index, s3.objects.get(`originals/${index.split("/uploads/")[1]}`)!.bytes);
    await expectAll(await start(), [payload(1), payload(2)]);
  });

  it("without an object that was there is reported, and other files work", async () => {
    const log = await filled([payload(1), payload(2, org, "2026-11-21")]);
    await log.moveToObjects!();
    s3.objects.delete(uploadKeys().find((key) => key.includes(day))!);
    expect(await log.read(org, idOf(1))).toBeUndefined();
    await expectAll(log, [payload(2, org, "2026-11-21")]);
    expect((await log.problems()).segments).toMatchObject([
      { reason: expect.stringContaining("there is no") },
    ]);
  });
});

it("a copy of the data folder reads the objects of the original, and changes none", async () => {
  const log = await filled([payload(1), payload(2)]);
  await log.moveToObjects!();
  const copy = join(folder.path, "copy");
  cpSync(join(folder.path, "uploads"), join(copy, "uploads"), { recursive: true });
  const other = await start(copy);
  await expectAll(other, [payload(1), payload(2)]);
  await expect(other.remove(org, [idOf(1)])).rejects.toMatchObject({ code: "unavailable" });
  expect(other.moved!().fault?.message).toContain("belongs to another data folder");
  await other.removeDays(allDays);
  await expectAll(log, [payload(1), payload(2)]);
});
