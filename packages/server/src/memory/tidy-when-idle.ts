import type { FunctionSignature } from "node:ffi";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const checkMs = 5000;
/** A process that uses this much CPU, in cores, leaves garbage behind. */
const busyCores = 0.2;
/** An idle server uses less than this: it answers health checks and watches its engine. */
const idleCores = 0.05;
/** Program pages are released after checks of half a minute whose mean is idle, so that a short job does not begin the wait again. */
const windowChecks = 30_000 / checkMs;
/** Idle processes need fewer pages of their program files than this: the server 22 MiB, the engine 42. */
const neededBytesMax = 48 * 1024 * 1024;

/**
 * Returns memory to the system when the process becomes idle (decision 19).
 *
 * V8 collects garbage only when the heap grows, so an idle process keeps the garbage of its last work: after the start about 40 of
 * 85 MB of heap, most of it the empty young generation. A collection takes 40 to 60 ms of CPU time (measured). Later calls take no
 * more CPU than before.
 */
export function tidyWhenIdle(): void {
  const garbage = new IdleWatch();
  const pages = new PagesWatch();
  let last = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    const cores = (user + system) / 1000 / checkMs;
    if (garbage.isDue(cores)) collectGarbage();
    // Memory that cannot be released stays: the server works without it.
    if (pages.isDue(cores, mappedFileBytes)) void releasePages(pages).catch(() => undefined);
  }, checkMs);
  timer.unref();
}

/** Collects garbage first, because work that used so many pages has left some. */
async function releasePages(pages: PagesWatch): Promise<void> {
  try {
    collectGarbage();
    await trimAllocator();
    await releaseProgramPages();
  } finally {
    // Where releasing fails or is not possible, it is not repeated every half minute.
    pages.noteReleased(mappedFileBytes());
  }
}

/** Finds the moments when a process became idle. A process is busy when it starts. */
export class IdleWatch {
  #wasBusy = true;

  /** @param cores the use of the CPU since the last call */
  isDue(cores: number): boolean {
    if (cores >= busyCores) this.#wasBusy = true;
    const isDue = this.#wasBusy && cores < idleCores;
    if (isDue) this.#wasBusy = false;
    return isDue;
  }
}

/** Finds the moments when an idle process has more pages of its program files than it uses when it is idle. */
export class PagesWatch {
  /** The use of the CPU at the last checks, in cores. */
  readonly #recent: number[] = [];
  /** The size of the mapped program files after the last release. */
  #releasedToBytes = 0;

  /**
   * @param cores the use of the CPU since the last call
   * @param mappedBytes reads the size of the mapped program files; called only when the process has been idle
   */
  isDue(cores: number, mappedBytes: () => number): boolean {
    const recent = this.#recent;
    if (recent.push(cores) > windowChecks) recent.shift();
    const used = recent.reduce((sum, each) => sum + each, 0);
    if (recent.length < windowChecks || Math.max(cores, used / windowChecks) >= idleCores) return false;
    // The next half minute begins, with or without a release: the process may need some of the pages again.
    recent.length = 0;
    return mappedBytes() > this.#releasedToBytes + neededBytesMax;
  }

  /** @param remainingBytes the mapped program files after the release */
  noteReleased(remainingBytes: number): void {
    this.#releasedToBytes = remainingBytes;
  }
}

type Collect = (options: { readonly type: "major"; readonly flavor: "last-resort" }) => void;
let collect: Collect | undefined;

/** Collects all garbage of this thread and returns its memory to the system. */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as Collect;
  }
  collect({ type: "major", flavor: "last-resort" });
}

/** A part of a file that is mapped into this process. */
interface MappedPart {
  readonly address: bigint;
  readonly bytes: bigint;
}

const headerPattern = /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \d+ +(.*)$/;
/** Smaller parts are not worth a system call. */
const residentKibMin = 1024;

/**
 * The private, read-only parts of mapped files in which no page was changed, such as machine code and constants: each byte is also in
 * the file. Pages that the dynamic linker changed count as "Anonymous", so parts with such pages are left out.
 *
 * @param smaps the text of /proc/[pid]/smaps, see proc_pid_smaps(5)
 */
export function unchangedParts(smaps: string): MappedPart[] {
  return smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).flatMap((entry) => {
    const [, from = "", to = "", mode = "", file = ""] = headerPattern.exec(entry.split("\n", 1)[0]!) ?? [];
    const isReadOnlyFile = mode.startsWith("r-") && mode.endsWith("p") && file.startsWith("/");
    if (!isReadOnlyFile || kibOf(entry, "Anonymous") !== 0 || (kibOf(entry, "Rss") ?? 0) < residentKibMin)
      return [];
    const address = BigInt(`0x${from}`);
    return [{ address, bytes: BigInt(`0x${to}`) - address }];
  });
}

/** A field of an entry, in KiB; undefined if the kernel does not report it. */
function kibOf(entry: string, field: string): number | undefined {
  const kib = new RegExp(`^${field}: +(\\d+) kB$`, "m").exec(entry)?.[1];
  return kib === undefined ? undefined : Number(kib);
}

/** Resident bytes of mapped files in this process; 0 if the system does not report them. */
function mappedFileBytes(): number {
  try {
    const kib = /^RssFile:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return Number(kib ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** `MADV_DONTNEED`, see madvise(2). */
const dontNeed = 4;

/**
 * Removes unchanged pages of program files from this process. They stay in the system's page cache, and a page fault maps a page again
 * when it is used. Loading the engine's library alone touches 120 MB of pages, and few are used again.
 *
 * Linux only. Does nothing if this Node has no `node:ffi`, which is experimental.
 *
 * @throws if /proc/self/smaps cannot be read
 */
async function releaseProgramPages(): Promise<void> {
  const madvise = await libcFunction("madvise", {
    arguments: ["uint64", "uint64", "int32"],
    return: "int32",
  });
  if (madvise === undefined) return;
  const parts = unchangedParts(await readFile("/proc/self/smaps", "utf8"));
  for (const { address, bytes } of parts) madvise(address, bytes, dontNeed);
}

/** Returns free memory of glibc's allocator to the system. Does nothing with other C libraries, which have no `malloc_trim`. */
async function trimAllocator(): Promise<void> {
  const trim = await libcFunction("malloc_trim", { arguments: ["uint64"], return: "int32" });
  trim?.(0n);
}

type LibcFunction = (...args: readonly (bigint | number)[]) => number;

async function libcFunction(name: string, signature: FunctionSignature): Promise<LibcFunction | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    const { dlopen } = await import("node:ffi");
    return dlopen(null, { [name]: signature }).functions[name] as LibcFunction;
  } catch {
    return undefined;
  }
}
