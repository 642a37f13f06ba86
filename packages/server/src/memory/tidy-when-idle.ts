import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { mappedFileBytes, releaseProgramPages, trimAllocator } from "./program-pages.ts";

const checkMs = 5000;
/** The use of the CPU, in cores, from which on the process leaves garbage behind. */
const busyCores = 0.2;
/** An idle server answers health checks and watches its engine. */
const idleCores = 0.05;
/** Half a minute. */
const idleChecksMin = 6;
/** An idle process uses less than this of its program files: the server 22 MiB, the engine 42. */
const idleBytesMax = 48 * 1024 * 1024;

/**
 * Returns memory to the system when the process becomes idle (decision 19).
 *
 * V8 collects garbage when the heap grows, so that an idle process keeps what it made when it was last busy: after the start about
 * 40 of 85 MB of heap, most of it the empty young generation. A collection takes 40 to 60 ms of CPU time (measured). Calls after
 * that take no more CPU than before.
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
    if (pages.isDue(cores, mappedFileBytes)) void releaseAll(pages).catch(() => undefined);
  }, checkMs);
  timer.unref();
}

/** Work that used so many pages has left garbage, too. */
async function releaseAll(pages: PagesWatch): Promise<void> {
  collectGarbage();
  await trimAllocator();
  await releaseProgramPages();
  pages.noteReleased(mappedFileBytes());
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
  #idleChecks = 0;
  #bytesAfter = 0;

  /** @param cores the use of the CPU since the last call */
  isDue(cores: number, mappedBytes: () => number): boolean {
    this.#idleChecks = cores < idleCores ? this.#idleChecks + 1 : 0;
    if (this.#idleChecks < idleChecksMin) return false;
    this.#idleChecks = 0;
    return mappedBytes() > this.#bytesAfter + idleBytesMax;
  }

  /** @param mappedBytes what remained */
  noteReleased(mappedBytes: number): void {
    this.#bytesAfter = mappedBytes;
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
