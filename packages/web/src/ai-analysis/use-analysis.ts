import { type Analysis, getAnalysis, giveFeedback } from "@flamekeep/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { call } from "#api/call.ts";
import { useIsDemo, useMayChange } from "#session/session.ts";
import { showToast, showUndoToast } from "#ui/overlays/toast.ts";
import { currentAnalysis, isRunning, pollMs, pollMsMax, withAnalysis } from "./model.ts";
import { historyQuery, type Subject, startAnalysis } from "./subject.ts";

/** The analyses of a subject and the one to show; starts analyses, and sends feedback about their recommendations. */
export function useAnalysis(subject: Subject) {
  const client = useQueryClient();
  const [chosenId, choose] = useState<string>();
  const history = useQuery(historyQuery(subject));
  const analyses = history.data ?? [];
  const running = analyses.find(isRunning);
  // An analysis that fails while it is on show stays on show.
  if (running !== undefined && chosenId === undefined) choose(running.id);

  function store(changed: Analysis) {
    client.setQueryData(historyQuery(subject).queryKey, (cached = []) => [...withAnalysis(cached, changed)]);
  }

  const polling = usePolling(running?.id, (polled) => {
    store(polled);
    if (isRunning(polled)) return;
    void client.invalidateQueries(historyQuery(subject));
    void client.invalidateQueries({ queryKey: ["latest-analyses"] });
  });

  const start = useMutation({
    mutationFn: () => startAnalysis(subject),
    onSuccess(started) {
      store(started);
      choose(started.id);
    },
  });
  const current = currentAnalysis(analyses, chosenId);
  return { history, current, polling, choose, start, feedback: useFeedback(store) };
}

export interface GivenFeedback {
  readonly analysisId: string;
  readonly recommendationId: string;
  readonly state: "open" | "accepted" | "done" | "dismissed";
  readonly reason?: string;
}

const feedbackTexts = {
  accepted: "Accepted",
  done: "Marked as done",
  dismissed: "Dismissed",
  open: "Open again",
};

function useFeedback(store: (changed: Analysis) => void): (given: GivenFeedback) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ analysisId, recommendationId, state, reason }: GivenFeedback) =>
      call(giveFeedback, {
        params: { id: analysisId, recommendation: recommendationId },
        body: { state, ...(reason !== undefined && { reason }) },
      }),
    onSuccess(changed, given) {
      store(changed);
      void client.invalidateQueries({ queryKey: ["findings"] });
      if (given.state === "open") return showToast(feedbackTexts.open);
      showUndoToast(feedbackTexts[given.state], () => mutate({ ...given, state: "open" }));
    },
    onError: (error) => showToast(`Nothing was changed. ${error.message}`, "critical"),
  });
  return mutate;
}

/** Visitors of the demo may start analyses, and nothing else. */
export function useMayAnalyze(): boolean {
  const mayChange = useMayChange();
  return useIsDemo() || mayChange;
}

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
