import { setTimeout as sleep } from "node:timers/promises";
import { APICallError } from "ai";
import { causesOf } from "./model-failure.ts";

const attemptsMax = 3;
const firstWaitMs = 1_000;
const waitMsMax = 20_000;

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** Replaced in tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Repeats a call that the provider refused for the moment (429, 5xx) after a growing pause, or after the one it asks for. */
export async function withRetry<T>(
  call: () => Promise<T>,
  { signal, wait = waitFor }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const pauseMs = pauseAfter(error, attempt);
      if (pauseMs === undefined || attempt >= attemptsMax || signal.aborted) throw error;
      await wait(pauseMs, signal);
    }
  }
}

/** Milliseconds; undefined if another try would fail the same way. */
function pauseAfter(error: unknown, attempt: number): number | undefined {
  const call = causesOf(error).find((each) => APICallError.isInstance(each));
  const status = call?.statusCode ?? 0;
  if (status !== 429 && status < 500) return undefined;
  const asked = Number(call?.responseHeaders?.["retry-after"]) * 1000;
  // A longer pause than this outlasts the analysis.
  if (asked > waitMsMax) return undefined;
  return Math.max(Number.isFinite(asked) ? asked : 0, firstWaitMs * 4 ** (attempt - 1));
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}
