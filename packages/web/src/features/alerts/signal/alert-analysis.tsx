import type { Alert } from "@flamekeep/contract";
import { defaultFlameView, toLinkParams } from "@flamekeep/flame";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { AnalysisView } from "#ai-analysis/analysis-card.tsx";
import { alertComparison } from "#alert-list/model.ts";
import { bringIntoView, viewOfFunction } from "#flame-graph/frame/wanted-function.ts";

/** Analyzes the range of an alert against the one before. Evidence leads to the comparison of the two, whose colours show the growth. */
export function AlertAnalysis({ alert: current }: { readonly alert: Alert }) {
  const navigate = useNavigate();
  // An analysis keeps the ranges from its start, while the ranges of a new alert still move.
  const [alert] = useState(current);
  const { service, profile_type: type, previous_range: baseline, current_range: range } = alert;
  const comparison = alertComparison(alert);

  function find(name: string, sampleType: string | undefined) {
    bringIntoView(name);
    void navigate({
      ...comparison,
      search: {
        ...comparison.search,
        ...toLinkParams(viewOfFunction(defaultFlameView, name)),
        ...(sampleType !== undefined && { sample_type: sampleType }),
      },
    });
  }

  return (
    <AnalysisView
      subject={{ kind: "range", service, type, range, tags: {}, baseline }}
      offer="Find out what changed and what to do"
      onFind={find}
      header={(about, rerun) =>
        rerun && (
          <div className="flex items-center justify-between gap-4 px-4 pb-2 text-label text-muted">
            <span>{about}</span>
            {rerun}
          </div>
        )
      }
    />
  );
}
