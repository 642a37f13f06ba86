import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { canHoldFiles, removeLeft } from "./files-in-memory.ts";

const mounts = (line: string) => `/dev/vda / ext4 rw,relatime 0 0\n${line} 0 0\n`;
const GiB = 1024 ** 3;

test.each([
  ["tmpfs /dev/shm tmpfs rw,nosuid,nodev", 4 * GiB, true],
  ["tmpfs /dev/shm tmpfs rw,nosuid,nodev", 4 * GiB - 1, false],
  ["tmpfs /dev/shm tmpfs rw,nosuid,noexec", 4 * GiB, false],
  ["/dev/vdb /dev/shm ext4 rw", 4 * GiB, false],
  ["tmpfs /run tmpfs rw", 4 * GiB, false],
])(
  "temporary files are kept in memory only where they fit and programs may run: %s, %d bytes",
  (line, freeBytes, can) => {
    expect(canHoldFiles("/dev/shm", mounts(line), freeBytes)).toBe(can);
  },
);

test("what a killed run left in memory is removed, and nothing else", () => {
  const memory = mkdtempSync(join(tmpdir(), "memory-"));
  // More than any process id.
  for (const name of [`flamekeep-tests-${process.pid}`, "flamekeep-tests-999999999", "other"])
    mkdirSync(join(memory, name, "folder"), { recursive: true });
  removeLeft(memory);
  expect(readdirSync(memory).toSorted()).toEqual([`flamekeep-tests-${process.pid}`, "other"]);
  rmSync(memory, { recursive: true });
});
