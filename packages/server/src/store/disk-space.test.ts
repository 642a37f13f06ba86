import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { temporaryFolder } from "#store/testing/backends.ts";
import { isFull, openDiskSpace } from "./disk-space.ts";

it("reads the free space of the folder's disk", async () => {
  const folder = temporaryFolder();
  const disk = openDiskSpace(folder.path, 1);
  expect(await disk.freeBytes()).toBeGreaterThan(0);
  expect(await isFull(disk)).toBe(false);
  expect(await isFull(disk, Number.MAX_SAFE_INTEGER)).toBe(true);
  folder.remove();
});

it("is full for a write that would use the reserve", async () => {
  const disk = openDiskSpace("/data", 30, async () => 100);
  expect([await isFull(disk, 70), await isFull(disk, 71)]).toEqual([false, true]);
});

it("reports within a second that the folder cannot be written", async () => {
  const folder = temporaryFolder();
  let nowMs = 0;
  const disk = openDiskSpace(folder.path, 1, undefined, () => nowMs);
  expect(await disk.writeFault()).toBeUndefined();
  folder.remove();
  nowMs = 1000;
  expect(await disk.writeFault()).toBe("ENOENT");
});

it("reports a folder that was moved while another took its place", async () => {
  const folder = temporaryFolder();
  const path = join(folder.path, "data");
  mkdirSync(path);
  let nowMs = 0;
  const disk = openDiskSpace(path, 1, undefined, () => nowMs);
  expect(await disk.writeFault()).toBeUndefined();
  renameSync(path, `${path}-moved`);
  mkdirSync(path);
  nowMs = 1000;
  expect(await disk.writeFault()).toBe("ESTALE");
  folder.remove();
});

it.each([
  ["EROFS", "EROFS"],
  ["EIO", "EIO"],
  ["EPERM", undefined],
  ["ENOSPC", undefined],
])("tries to change a folder that looks writable: %s is reported as %s", async (code, fault) => {
  const folder = temporaryFolder();
  const touch = () => Promise.reject(Object.assign(new Error(code), { code }));
  expect(await openDiskSpace(folder.path, 1, undefined, undefined, touch).writeFault()).toBe(fault);
  folder.remove();
});

it("reads once for many uploads at the same time", async () => {
  let reads = 0;
  const disk = openDiskSpace("/data", 1, async () => {
    reads++;
    return 100;
  });
  expect(await Promise.all(Array.from({ length: 50 }, () => disk.freeBytes()))).toEqual(Array(50).fill(100));
  await disk.freeBytes();
  expect(reads).toBe(1);
});

it("does not stop the thread while the file system does not answer", async () => {
  const mount = Promise.withResolvers<number>();
  const disk = openDiskSpace("/data", 1, () => mount.promise);
  let isAnswered = false;
  const free = disk.freeBytes().finally(() => {
    isAnswered = true;
  });
  await nextTurn();
  expect(isAnswered).toBe(false);
  mount.resolve(7);
  expect(await free).toBe(7);
});

it("reads again after a failure", async () => {
  const results = [Promise.reject(new Error("EIO")), Promise.resolve(5)];
  const disk = openDiskSpace("/data", 1, () => results.shift()!);
  await expect(disk.freeBytes()).rejects.toThrow("EIO");
  expect(await disk.freeBytes()).toBe(5);
});

it("subtracts what was written since the measurement, and what is being written", async () => {
  let nowMs = 0;
  let freeBytes = 100;
  const disk = openDiskSpace(
    "/data",
    1,
    async () => freeBytes,
    () => nowMs,
  );
  expect(await disk.freeBytes()).toBe(100);
  const finishOne = disk.startWrite(30);
  const finishOther = disk.startWrite(5);
  expect(await disk.freeBytes()).toBe(65);
  finishOne();
  finishOne();
  expect(await disk.freeBytes()).toBe(65);
  nowMs = 2000;
  freeBytes = 70;
  // The finished write is in the new measurement, and the other one may not be.
  expect(await disk.freeBytes()).toBe(65);
  finishOther();
  expect(await disk.freeBytes()).toBe(65);
  nowMs = 4000;
  expect(await disk.freeBytes()).toBe(70);
});

it("subtracts a write that ends while the disk is measured", async () => {
  const measured = Promise.withResolvers<number>();
  const disk = openDiskSpace("/data", 1, () => measured.promise);
  const free = disk.freeBytes();
  disk.startWrite(30)();
  measured.resolve(100);
  expect(await free).toBe(70);
});
