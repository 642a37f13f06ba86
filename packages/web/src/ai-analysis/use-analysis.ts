import { type Analysis, getAnalysis, giveFeedback } from "@flamekeep/contract";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { showToast, showUndoToast } from "#ui/overlays/toast.ts";
import { currentAnalysis, isRunning, pollMs, pollMsMax, withAnalysis } from "./model.ts";
import { historyQuery, type Subject, startAnalysis } from "./subject.ts";

const pollsMax = pollMsMax / pollMs;

/** Reads a running analysis every two seconds until it has ended, for at most five minutes. */
function pollQuery(subject: Subject, running: Analysis | undefined) {
  return queryOptions({
    queryKey: ["analysis", running?.id],
    enabled: running !== undefined,
    retry: false,
    gcTime: 0,
    queryFn: async ({ signal, client }) => {
      const params = { id: running?.id ?? "" };
      const analysis = await call(getAnalysis, { params, signal }).catch((error: unknown) => {
        console.warn("The analysis could not be read; trying again.", error);
        throw error;
      });
      if (!isRunning(analysis)) {
        client.setQueryData(historyQuery(subject).queryKey, (cached = []) => [
          ...withAnalysis(cached, analysis),
        ]);
        void client.invalidateQueries(historyQuery(subject));
        void client.invalidateQueries({ queryKey: ["latest-analyses"] });
      }
      return analysis;
    },
    refetchInterval: ({ state }) => {
      const isDone = state.data !== undefined && !isRunning(state.data);
      return !isDone && state.dataUpdateCount + state.errorUpdateCount < pollsMax && pollMs;
    },
  });
}

/** The analyses of a subject and the one to show; starts analyses, and sends feedback about their recommendations. */
export function useAnalysis(subject: Subject) {
  const client = useQueryClient();
  const [chosenId, choose] = useState<string>();
  const history = useQuery(historyQuery(subject));
  const latest = currentAnalysis(history.data ?? [], chosenId);
  const polled = useQuery(pollQuery(subject, isRunning(latest) ? latest : undefined));
  const current = polled.data?.id === latest?.id ? (polled.data ?? latest) : latest;

  function store(changed: Analysis) {
    client.setQueryData(historyQuery(subject).queryKey, (cached = []) => [...withAnalysis(cached, changed)]);
  }

  const start = useMutation({
    mutationFn: () => startAnalysis(subject),
    onSuccess(started) {
      store(started);
      choose(started.id);
    },
  });
  return { history, current, choose, start, feedback: useFeedback(store) };
}

export interface GivenFeedback {
  readonly analysisId: string;
  readonly recommendationId: string;
  readonly state: "open" | "done" | "dismissed";
  readonly reason?: string;
}

const feedbackTexts = { done: "Marked as done", dismissed: "Dismissed", open: "Open again" };

function useFeedback(store: (changed: Analysis) => void): (given: GivenFeedback) => void {
  const { mutate } = useMutation({
    mutationFn: ({ analysisId, recommendationId, state, reason }: GivenFeedback) =>
      call(giveFeedback, {
        params: { id: analysisId, recommendation: recommendationId },
        body: { state, ...(reason !== undefined && { reason }) },
      }),
    onSuccess(changed, given) {
      store(changed);
      if (given.state === "open") return showToast(feedbackTexts.open);
      showUndoToast(feedbackTexts[given.state], () => mutate({ ...given, state: "open" }));
    },
    onError: (error) => showToast(`Nothing was changed. ${error.message}`, "critical"),
  });
  return mutate;
}
