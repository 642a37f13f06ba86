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
  const stopped = new AbortController();
  let silentMs = 0;
  /** Value of `silentMs` at the latest reminder. */
  let remindedMs = 0;
  let isResponding = true;
  /** Ends the pause between two pings. */
  let pinging = new AbortController();
  const note = (answered: boolean): void => {
    if (stopped.signal.aborted || answered === isResponding) return;
    isResponding = answered;
    if (answered) {
      log.warn({ silentMs: Math.round(silentMs) }, "the column store's engine answers again");
      silentMs = 0;
      remindedMs = 0;
    } else {
      log.error({}, "the column store's engine does not respond");
      pinging.abort();
    }
    watched.onChange();
  };
  const noteAnswer = (answer: Answer): void => {
    if (answer === "answered") note(true);
    if (answer === "silent") note(false);
  };
  const ping = () => answersWithin(`${watched.url}/ping`, {}, timing.pingMax);
  const kill = (reason: string): void => {
    if (stopped.signal.aborted) return;
    stopped.abort();
    isResponding = false;
    log.error({ reason }, "THE COLUMN STORE'S ENGINE HANGS. Ending its process and starting it again");
    watched.kill();
  };
  const watchPings = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const startedAt = performance.now();
      noteAnswer(await ping());
      if (!isResponding) {
        await pause(silentPauseMs, stopped.signal);
        const elapsed = performance.now() - startedAt;
        silentMs += Math.min(elapsed, timing.pingMax + silentPauseMs);
        if (silentMs >= timing.silentMax) kill(`no answer for ${Math.round(silentMs / 1000)} s`);
        else if (silentMs - remindedMs >= timing.remindEvery) {
          remindedMs = silentMs;
          log.error({ silentMs: Math.round(silentMs) }, "the column store's engine still does not respond");
        }
      } else {
        pinging = new AbortController();
        await pause(timing.pingEvery, AbortSignal.any([stopped.signal, pinging.signal]));
      }
    }
  };
  const watchQueries = async (): Promise<void> => {
    const headers = { authorization: watched.authorization };
    while (!stopped.signal.aborted) {
      await pause(timing.queryEvery, stopped.signal);
      if (stopped.signal.aborted) return;
      const answer = await answersWithin(`${watched.url}/probe`, headers, timing.queryMax);
      // The pings take care of a process that does not respond at all.
      if (answer === "silent" && isResponding) {
        kill(`no query was answered for ${Math.round(timing.queryMax / 1000)} s`);
      }
    }
  };
  void watchPings();
  void watchQueries();
  return {
    isResponding: () => isResponding,
    silentMs: () => silentMs,
    check: async () => {
      if (!isResponding) return false;
      const answer = await ping();
      noteAnswer(answer);
      return answer === "answered" || answer === "late";
    },
    stop: () => stopped.abort(),
  };
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
