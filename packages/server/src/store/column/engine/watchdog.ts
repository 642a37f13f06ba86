import { get } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { StoreLog } from "#store/log.ts";
import type { EngineTiming } from "./timing.ts";

/** The engine process as the watchdog sees it. */
export interface Watched {
  /** URL of the engine. */
  readonly url: string;
  /** Value of the Authorization header for a query. */
  readonly authorization: string;
  kill(): void;
  /** The engine stopped answering, or answers again. */
  onChange(): void;
}

export interface Watchdog {
  /** False from the first ping without a reply until the next one with a reply. */
  isResponding(): boolean;
  /** The time without a reply to a ping. */
  silentMs(): number;
  /** Pings now; resolves within the limit of a ping. */
  check(): Promise<boolean>;
  stop(): void;
}

/** While pings have no answer, the next one follows sooner. */
const silentPauseMs = 500;
/** A timer that is this late shows that this process did not run either: it was busy, or the machine was suspended. */
const timerDelayMsMax = 1_000;

/**
 * Watches one engine process in two ways. `/ping` is answered by its event loop, which never waits for chDB: without an
 * answer for `silentMax` the process is stopped or stuck, and is killed. `/probe` runs a query on a separate session,
 * so that it waits neither for reads nor for inserts: without a reply for `queryMax` chDB itself is stuck.
 *
 * Only time in which this process ran counts, so that a suspended machine or a busy main thread kills nothing.
 */
export function watchEngine(watched: Watched, timing: EngineTiming, log: StoreLog): Watchdog {
  const watchdog = new EngineWatchdog(watched, timing, log);
  watchdog.start();
  return watchdog;
}

class EngineWatchdog implements Watchdog {
  readonly #watched: Watched;
  readonly #timing: EngineTiming;
  readonly #log: StoreLog;
  readonly #stopped = new AbortController();
  #silentMs = 0;
  /** Value of `#silentMs` at the latest reminder. */
  #remindedMs = 0;
  #isResponding = true;
  /** Ends the pause between two pings. */
  #pinging = new AbortController();

  constructor(watched: Watched, timing: EngineTiming, log: StoreLog) {
    this.#watched = watched;
    this.#timing = timing;
    this.#log = log;
  }

  start(): void {
    void this.#watchPings();
    void this.#watchQueries();
  }

  stop(): void {
    this.#stopped.abort();
  }

  isResponding(): boolean {
    return this.#isResponding;
  }

  silentMs(): number {
    return this.#silentMs;
  }

  async check(): Promise<boolean> {
    if (!this.#isResponding) return false;
    const answer = await this.#ping();
    return answer === "answered" || answer === "late";
  }

  async #watchPings(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const startedAt = performance.now();
      await this.#ping();
      if (this.#isResponding) {
        this.#pinging = new AbortController();
        await pause(this.#timing.pingEvery, AbortSignal.any([signal, this.#pinging.signal]));
      } else {
        await pause(silentPauseMs, signal);
        this.#countSilence(performance.now() - startedAt);
      }
    }
  }

  async #watchQueries(): Promise<void> {
    const { url, authorization } = this.#watched;
    const { queryEvery, queryMax } = this.#timing;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await pause(queryEvery, signal);
      if (signal.aborted) return;
      const answer = await answersWithin(`${url}/probe`, { authorization }, queryMax);
      // The pings take care of a process that does not respond at all.
      if (answer === "silent" && this.#isResponding) {
        this.#kill(`no query was answered for ${Math.round(queryMax / 1000)} s`);
      }
    }
  }

  async #ping(): Promise<Answer> {
    const answer = await answersWithin(`${this.#watched.url}/ping`, {}, this.#timing.pingMax);
    if (answer === "answered") this.#note(true);
    if (answer === "silent") this.#note(false);
    return answer;
  }

  #note(isResponding: boolean): void {
    if (this.#stopped.signal.aborted || isResponding === this.#isResponding) return;
    this.#isResponding = isResponding;
    if (isResponding) {
      this.#log.warn({ silentMs: Math.round(this.#silentMs) }, "the column store's engine answers again");
      this.#silentMs = 0;
      this.#remindedMs = 0;
    } else {
      this.#log.error({}, "the column store's engine does not respond");
      this.#pinging.abort();
    }
    this.#watched.onChange();
  }

  #countSilence(elapsedMs: number): void {
    const { pingMax, silentMax, remindEvery } = this.#timing;
    this.#silentMs += Math.min(elapsedMs, pingMax + silentPauseMs);
    const silentMs = Math.round(this.#silentMs);
    if (this.#silentMs >= silentMax) this.#kill(`no answer for ${Math.round(silentMs / 1000)} s`);
    else if (this.#silentMs - this.#remindedMs >= remindEvery) {
      this.#remindedMs = this.#silentMs;
      this.#log.error({ silentMs }, "the column store's engine still does not respond");
    }
  }

  #kill(reason: string): void {
    if (this.#stopped.signal.aborted) return;
    this.#stopped.abort();
    this.#isResponding = false;
    this.#log.error({ reason }, "THE COLUMN STORE'S ENGINE HANGS. Ending its process and starting it again");
    this.#watched.kill();
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/**
 * `failed`: no connection, either because this process has too many files open or because the engine has just ended,
 * which its exit reports. `late`: no reply, but this process itself did not run for a part of the time.
 */
type Answer = "answered" | "silent" | "failed" | "late";

/** Any HTTP reply counts, even an error: it shows that the process works. */
async function answersWithin(url: string, headers: Record<string, string>, ms: number): Promise<Answer> {
  const ended = new AbortController();
  const answered = new Promise<boolean>((resolve) => {
    const request = get(url, { headers, agent: false, signal: ended.signal }, (response) => {
      response.resume();
      resolve(true);
    });
    request.on("error", () => resolve(false));
  });
  let elapsed = 0;
  let isLate = false;
  let result: boolean | undefined;
  void answered.then((value) => {
    result = value;
  });
  const step = Math.min(ms, timerDelayMsMax);
  while (result === undefined && elapsed < ms) {
    const from = performance.now();
    await Promise.race([answered, sleep(Math.min(step, ms - elapsed), undefined, { ref: false })]);
    // A reply that arrived while this thread was busy is read after the timers.
    await nextTurn();
    const took = performance.now() - from;
    if (took > step + timerDelayMsMax) isLate = true;
    elapsed += Math.min(took, step);
  }
  ended.abort();
  if (result !== undefined) return result ? "answered" : "failed";
  return isLate ? "late" : "silent";
}
