import { type Analysis, giveFeedback } from "@flamekeep/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { showToast, showUndoToast } from "#ui/overlays/toast.ts";
import { currentAnalysis, isRunning, withAnalysis } from "./model.ts";
import { historyQuery, type Subject, startAnalysis } from "./subject.ts";
import { usePolling } from "./use-polling.ts";

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
