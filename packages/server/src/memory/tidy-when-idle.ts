import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { mappedFileBytes, releaseProgramPages, trimAllocator } from "./program-pages.ts";

const slowGrowth = "--heap-growing-percent=50";

const checkMs = 5000;
/** A process that uses this much CPU, in cores, leaves garbage behind. */
const busyCores = 0.2;
/** An idle server uses less than this: it answers health checks and watches its engine. */
const idleCores = 0.05;
/**
 * Memory is released after checks of this time whose mean is idle, so that a short job does not begin the wait again. Threads that nobody
 * needs have ended by then.
 */
const windowChecks = 15_000 / checkMs;
/** Idle processes need fewer pages of their program files than this: the server 22 MiB, the engine 42. */
const neededBytesMax = 48 * 1024 * 1024;

/**
 * Returns memory to the system when the process becomes idle (decision 19). Until then a heap is collected when it has grown by
 * half, where V8 would let it triple: letting it double took about 100 MB more under full load and spared at most a thirtieth of
 * the CPU. Not a flag of the process: with it V8 takes Node's own modules for compiled otherwise, and compiles them at each start.
 *
 * V8 collects garbage only when the heap grows, so an idle process keeps the garbage of its last work: after the start about 40 of
 * 85 MB of heap, most of it the empty young generation. A collection takes 40 to 60 ms of CPU time (measured). Later calls take no
 * more CPU than before.
 */
export function tidyWhenIdle(): void {
  setFlagsFromString(slowGrowth);
  const garbage = new IdleWatch();
  const pages = new PagesWatch();
  let last = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    const cores = loadOf((user + system) / 1000 / checkMs, performance.now() - latestTaskAt);
    if (garbage.isDue(cores)) collectGarbage();
    const due = pages.isDue(cores, mappedFileBytes);
    // Memory that cannot be released stays: the server works without it.
    if (due !== undefined) void releasePages(pages, due).catch(() => undefined);
  }, checkMs);
  timer.unref();
}

let latestTaskAt = Number.NEGATIVE_INFINITY;

/** To be called when a thread has finished a task for somebody. */
export function noteTask(): void {
  latestTaskAt = performance.now();
}

/**
 * A process that answers is not idle, however little CPU it uses: at 20 uploads a second it is less than an idle server may use at times,
 * and a collection stopped them for 0.2 s.
 */
export function loadOf(cores: number, sinceTaskMs: number): number {
  return sinceTaskMs < checkMs ? Math.max(cores, idleCores) : cores;
}

async function releasePages(pages: PagesWatch, due: Due): Promise<void> {
  try {
    if (due === "all memory") {
      collectGarbage();
      await trimAllocator();
    }
    await releaseProgramPages();
  } finally {
    // Where releasing fails or is not possible, it is not repeated every half minute.
    pages.noteReleased(mappedFileBytes(), due);
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

/** A busy process keeps its garbage, whose collection would stop its work. */
type Due = "all memory" | "program pages";

/** Finds the moments when an idle process has worked, or any has more pages of its program files than one that is idle uses. */
export class PagesWatch {
  #hasWorked = true;
  /** The use of the CPU at the last checks, in cores. */
  readonly #recent: number[] = [];
  /** The size of the mapped program files after the last release. */
  #releasedToBytes = 0;

  /**
   * @param cores the use of the CPU since the last call
   * @param mappedBytes reads the size of the mapped program files
   */
  isDue(cores: number, mappedBytes: () => number): Due | undefined {
    const recent = this.#recent;
    if (cores >= busyCores) this.#hasWorked = true;
    if (recent.push(cores) > windowChecks) recent.shift();
    const used = recent.reduce((sum, each) => sum + each, 0);
    if (recent.length < windowChecks) return undefined;
    const isIdle = Math.max(cores, used / windowChecks) < idleCores;
    const hasMany = mappedBytes() > this.#releasedToBytes + neededBytesMax;
    if (!isIdle && !hasMany) return undefined;
    // The next half minute begins, with or without a release: the process may need some of the pages again.
    recent.length = 0;
    if (!isIdle) return "program pages";
    return hasMany || this.#hasWorked ? "all memory" : undefined;
  }

  /** @param remainingBytes the mapped program files after the release */
  noteReleased(remainingBytes: number, due: Due = "all memory"): void {
    if (due === "all memory") this.#hasWorked = false;
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
