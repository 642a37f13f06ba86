import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import process from "node:process";

const GiB = 1024 ** 3;
/** Free before the tests begin. Their files need a tenth of it, and their servers and browsers need memory as well. */
const freeBytesMin = 4 * GiB;
const prefix = "flamekeep-tests-";

/**
 * Keeps temporary files of this process and those below it in memory, where the machine has room, until it ends. On a disk a store
 * waits for each sync, which matters only when the machine itself stops: no test does that.
 */
export function keepFilesInMemory(memory = "/dev/shm"): void {
  if (process.platform !== "linux" || process.env.TMPDIR !== undefined) return;
  if (!canHoldFiles(memory, readFileSync("/proc/self/mounts", "utf8"), Math.min(freeIn(memory), freemem())))
    return;
  removeLeft(memory);
  const folder = join(memory, `${prefix}${process.pid}`);
  mkdirSync(folder);
  process.env.TMPDIR = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}

function freeIn(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Tests also run programs that they compile, which not every folder in memory allows. */
export function canHoldFiles(memory: string, mounts: string, freeBytes: number): boolean {
  const [, , kind, options = ""] =
    mounts
      .split("\n")
      .map((line) => line.split(" "))
      .findLast(([, path]) => path === memory) ?? [];
  return kind === "tmpfs" && !options.split(",").includes("noexec") && freeBytes >= freeBytesMin;
}

/** Removes the folders of processes that were killed. */
export function removeLeft(memory: string): void {
  for (const name of readdirSync(memory)) {
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length))))
      rmSync(join(memory, name), { recursive: true, force: true });
  }
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
