import { type Alert, limits } from "@flamekeep/contract";
import { defaultFlameView, type FlameGraph, toLinkParams } from "@flamekeep/flame";
import { type ComparisonMeta, decodeComparison } from "@flamekeep/flame/compare";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { alertComparison } from "#alert-list/model.ts";
import { WhatChanged, WhatChangedSkeleton } from "#flame-graph/changes/what-changed.tsx";
import { readComparison } from "#flame-graph/decode/read-comparison.ts";
import { bringIntoView, viewOfFunction } from "#flame-graph/frame/wanted-function.ts";
import { scalingOf, wholeLayout } from "#flame-graph/reading/change-text.ts";
import { Card } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";

/** The functions that explain an alert. A click opens the comparison of the alert's two ranges at the function. */
export function AlertChanges({ alert }: { readonly alert: Alert }) {
  const query = useQuery({
    queryKey: ["alert-changes", alert.id, alert.previous_range, alert.current_range],
    queryFn: ({ signal }) => readChanges(alert, signal),
    // The columns of a graph are never partly the same.
    structuralSharing: false,
  });
  return (
    <Card className="min-w-0">
      <Panel
        query={query}
        loading={<WhatChangedSkeleton />}
        errorTitle="Could not compare before and after"
        empty={({ meta }) => emptySide(meta)}
      >
        {(graph) => <Changes alert={alert} graph={graph} />}
      </Panel>
    </Card>
  );
}

type Compared = FlameGraph<ComparisonMeta>;

/** The widest frames, with the sums of each function over all frames. */
async function readChanges(alert: Alert, signal: AbortSignal): Promise<Compared> {
  const { fn: _, ...call } = alertComparison(alert).search;
  return decodeComparison(await readComparison({ ...call, max_nodes: limits.flameGraphNodes }, signal));
}

function emptySide({ before, after }: ComparisonMeta) {
  if (before.profiles > 0 && after.profiles > 0) return null;
  return (
    <p className="px-4 py-6 text-muted">
      {before.profiles === 0 ? "No profiles before the change." : "No profiles after the change."}
    </p>
  );
}

function Changes({ alert, graph: { tree, meta } }: { readonly alert: Alert; readonly graph: Compared }) {
  const navigate = useNavigate();
  const scaling = useMemo(() => scalingOf(tree, meta, "absolute", meta.normalisations[0]), [tree, meta]);
  const comparison = alertComparison(alert);

  function open(name: string) {
    bringIntoView(name);
    const view = toLinkParams(viewOfFunction(defaultFlameView, name));
    void navigate({ ...comparison, search: { ...comparison.search, ...view } });
  }

  return (
    <WhatChanged {...{ meta, scaling }} tree={wholeLayout(tree, scaling.scale)} selected="" onSelect={open} />
  );
}
