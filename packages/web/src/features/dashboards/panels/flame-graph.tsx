import type { FlameGraph } from "@flamekeep/flame";
import { SmallGraph } from "#flame-graph/small-graph.tsx";
import { profileTypeLabel } from "#format/names.ts";
import { plural } from "#format/number.ts";
import { Panel } from "#ui/content/panel.tsx";
import { useGraphOfPanel } from "./graph-of-panel.ts";
import { NoData, type PanelProps, PanelSkeleton } from "./panel-parts.tsx";

/** The merged flame graph of a service and type over the range. */
export function FlameGraphPanel({ panel, ...scope }: PanelProps<"flame_graph">) {
  const { type } = panel;
  const { service, time } = scope;
  const query = useGraphOfPanel({ ...scope, type });
  const name = profileTypeLabel(type);
  return (
    <Panel
      query={query}
      loading={<PanelSkeleton className="h-96" />}
      errorTitle="Could not load the flame graph"
      empty={({ tree }) =>
        tree.length < 2 || tree.width[0]! <= 0 ? (
          <NoData>
            No {name} profiles from {service} in this range.
          </NoData>
        ) : null
      }
    >
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
    </Panel>
  );
}

function sourceText({ meta }: FlameGraph, subject: string): string {
  return meta.merge === undefined ? subject : `${subject}, ${plural(meta.merge.profilesMerged, "profile")}`;
}
