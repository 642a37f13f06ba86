import { type Analysis, getAnalysis } from "@flamekeep/contract";
import { useEffect, useEffectEvent, useState } from "react";
import { call } from "#api/call.ts";
import { isRunning, pollMs, pollMsMax } from "./model.ts";

export interface Polling {
  /** Whether five minutes passed and the analysis has not ended. */
  readonly isOver: boolean;
  readonly restart: () => void;
}

/**
 * Reads a running analysis every two seconds until it has ended, for at most five minutes. Errors are only logged: the server
 * may be away for a moment.
 */
export function usePolling(id: string | undefined, onRead: (analysis: Analysis) => void): Polling {
  const [endedFor, setEndedFor] = useState<string>();
  const isOver = id !== undefined && id === endedFor;
  const read = useEffectEvent(onRead);
  useEffect(() => {
    if (id === undefined || isOver) return;
    const polling = new AbortController();
    const { signal } = polling;
    const cap = setTimeout(() => {
      polling.abort();
      setEndedFor(id);
    }, pollMsMax);
    void readUntilEnded(id, signal, (analysis) => read(analysis)).finally(() => clearTimeout(cap));
    return () => {
      clearTimeout(cap);
      polling.abort();
    };
  }, [id, isOver]);
  return { isOver, restart: () => setEndedFor(undefined) };
}

async function readUntilEnded(
  id: string,
  signal: AbortSignal,
  onRead: (analysis: Analysis) => void,
): Promise<void> {
  for (;;) {
    await pause(pollMs, signal);
    if (signal.aborted) return;
    try {
      const analysis = await call(getAnalysis, { params: { id }, signal });
      if (signal.aborted) return;
      onRead(analysis);
      if (!isRunning(analysis)) return;
    } catch (error) {
      if (signal.aborted) return;
      console.warn("The analysis could not be read; trying again.", error);
    }
  }
}

/** Resolves after the time, or when the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
