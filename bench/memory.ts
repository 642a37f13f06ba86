import { setTimeout as sleep } from "node:timers/promises";
import { usageOf } from "./processes.ts";

/** The kernel goes through all pages for it: once a second that was 1% of what the machine did. */
const sampleMsDefault = 2000;
/** Merges are over when all processes together used less than this share of one core... */
const idleCores = 0.1;
/** ...for so many samples in a row. */
const idleSamples = 5;
const idleWaitSecondsMax = 180;

export interface MemorySample {
  readonly seconds: number;
  readonly residentBytes: number;
}

/** Samples the resident memory of a process and everything below it. */
export class MemoryWatch {
  readonly #pid: number;
  readonly #sampleMs: number;
  readonly #startedAt = performance.now();
  readonly #samples: MemorySample[] = [];
  readonly #timer: NodeJS.Timeout;
  #cpu: { readonly seconds: number; readonly cpuSeconds: number } | undefined;
  #idleFor = 0;

  constructor(pid: number, sampleMs = sampleMsDefault) {
    this.#pid = pid;
    this.#sampleMs = sampleMs;
    this.#timer = setInterval(() => this.#sample(), sampleMs);
  }

  get samples(): readonly MemorySample[] {
    return this.#samples;
  }

  get peakBytes(): number {
    return Math.max(...this.#samples.map(({ residentBytes }) => residentBytes));
  }

  /** Keeps watching until merges after a load have ended; returns how many seconds that took. */
  async untilIdle(): Promise<number> {
    const from = performance.now();
    this.#idleFor = 0;
    const seconds = () => (performance.now() - from) / 1000;
    while (this.#idleFor < idleSamples && seconds() < idleWaitSecondsMax) await sleep(this.#sampleMs / 2);
    return seconds();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const { residentBytes, cpuSeconds } = usageOf(this.#pid);
    const seconds = (performance.now() - this.#startedAt) / 1000;
    this.#samples.push({ seconds, residentBytes });
    const before = this.#cpu;
    this.#cpu = { seconds, cpuSeconds };
    const cores =
      before === undefined ? 1 : (cpuSeconds - before.cpuSeconds) / Math.max(0.1, seconds - before.seconds);
    this.#idleFor = cores < idleCores ? this.#idleFor + 1 : 0;
  }
}
