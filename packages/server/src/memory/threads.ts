import { minuteMs } from "@flamekeep/contract/durations";
import { move, Piscina, transferableSymbol, valueSymbol } from "piscina";
import { noteTask } from "./tidy-when-idle.ts";

type Options = NonNullable<ConstructorParameters<typeof Piscina>[0]>;
type TaskOptions = NonNullable<Parameters<Piscina["run"]>[1]>;

/**
 * Threads that start with the first task and end in a pause, because each keeps tens of megabytes. The next task then waits until one is
 * loaded, about 0.1 s.
 */
export class Threads {
  readonly #options: Options;
  readonly #onError: (error: unknown) => void;
  readonly #pauses: Pauses;
  #pool: Piscina | undefined;
  #running = 0;
  #checks: NodeJS.Timeout | undefined;

  /** @param onError gets the error of a thread that dies between two tasks; the next task starts another one */
  constructor(options: Options, onError: (error: unknown) => void, pauses = new Pauses()) {
    this.#options = { ...options, minThreads: 0, idleTimeout: keptMsMax, recordTiming: false };
    this.#onError = onError;
    this.#pauses = pauses;
  }

  get count(): number {
    return this.#pool?.threads.length ?? 0;
  }

  async run(input: unknown, options: TaskOptions): Promise<unknown> {
    if (this.#running++ === 0) this.#pauses.end(performance.now());
    try {
      this.#pool ??= this.#open();
      return await this.#pool.run(input, options);
    } finally {
      noteTask();
      if (--this.#running === 0) this.#pauses.begin(performance.now());
    }
  }

  /** Ends the threads once their tasks are finished. */
  async close(): Promise<void> {
    await this.#take()?.close();
  }

  /** Ends the threads at once and rejects their tasks. */
  async destroy(): Promise<void> {
    await this.#take()?.destroy();
  }

  #open(): Piscina {
    const pool = new Piscina(this.#options);
    // Without a listener, the error would end the server.
    pool.on("error", this.#onError);
    this.#checks = setInterval(() => {
      if (this.#running === 0 && this.#pauses.isLong(performance.now())) void this.destroy();
    }, this.#pauses.keptMsMin / 4).unref();
    return pool;
  }

  #take(): Piscina | undefined {
    const pool = this.#pool;
    this.#pool = undefined;
    clearInterval(this.#checks);
    return pool;
  }
}

/** Longer than the pauses of somebody who reads, and of senders that upload several types. */
const keptMsDefault = 10_000;
const keptMsMax = 5 * minuteMs;

/**
 * Decides when a pause between tasks is long enough to end the threads: soon after work that came at once, but not between tasks that come
 * every minute. There, starting them again costs more than the memory is worth, and those that encode uploads would write again what
 * they have forgotten.
 */
export class Pauses {
  readonly keptMsMin: number;
  #beganAt = Number.NaN;
  /** The longer pauses of the last minutes. */
  #latest: { readonly ms: number; readonly endedAt: number }[] = [];

  constructor(keptMsMin = keptMsDefault) {
    this.keptMsMin = keptMsMin;
  }

  begin(now: number): void {
    this.#beganAt = now;
  }

  end(now: number): void {
    const ms = now - this.#beganAt;
    if (ms > this.keptMsMin / 2) this.#latest.push({ ms, endedAt: now });
  }

  isLong(now: number): boolean {
    this.#latest = this.#latest.filter(({ endedAt }) => now - endedAt < 2 * keptMsMax);
    // Not the longest: one pause alone is no rhythm.
    const [, second = 0] = this.#latest.map(({ ms }) => ms).toSorted((a, b) => b - a);
    const keptMs = Math.max(this.keptMsMin, Math.min(2 * second, keptMsMax));
    return now - this.#beganAt >= keptMs;
  }
}

/** Wraps a message for another thread so that the memory of `views` is moved instead of copied. */
export function moved<T>(value: T, views: readonly ArrayBufferView[]): T {
  const buffers = new Set(views.map((view) => view.buffer).filter((buffer) => buffer instanceof ArrayBuffer));
  return move({ [transferableSymbol]: [...buffers], [valueSymbol]: value } as never) as T;
}
