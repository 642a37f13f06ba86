import type { FlameGraph } from "@flamekeep/flame";
import { SmallGraph } from "#flame-graph/small-graph.tsx";
import { profileTypeLabel } from "#format/names.ts";
import { plural } from "#format/number.ts";
import { GraphOfPanel } from "./graph-of-panel.tsx";
import type { PanelProps } from "./panel-parts.tsx";

/** The merged flame graph of a service and type over the range. */
export function FlameGraphPanel({ panel, ...scope }: PanelProps<"flame_graph">) {
  const { type } = panel;
  const { service, time } = scope;
  const name = profileTypeLabel(type);
  return (
    <GraphOfPanel {...scope} type={type} skeletonClass="h-96" errorTitle="Could not load the flame graph">
      {(graph) => (
        <div className="h-96 px-4 pb-4">
          <SmallGraph
            tree={graph.tree}
            source={sourceText(graph, `${name} of ${service}, ${time.label.replace(/^Last/, "last")}`)}
            quantity={name}
            captionClass="min-h-5 text-label!"
          />
        </div>
      )}
    </GraphOfPanel>
  );
}

function sourceText({ meta }: FlameGraph, subject: string): string {
  return meta.merge === undefined ? subject : `${subject}, ${plural(meta.merge.profilesMerged, "profile")}`;
}
