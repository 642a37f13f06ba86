import { SmallGraph } from "#flame-graph/small-graph.tsx";
import { plural } from "#format/number.ts";
import type { DemoGraph } from "./graph-query.ts";

interface DrawnGraphProps {
  readonly graph: DemoGraph;
  readonly captionClass: string;
}

/** A pointer names functions, a click zooms. */
export function DrawnGraph({ graph: { tree, profilesMerged }, captionClass }: DrawnGraphProps) {
  const source =
    profilesMerged === undefined
      ? "CPU of the example shop's checkout service, as recorded"
      : `CPU of the demo's checkout service, last 24 hours, ${plural(profilesMerged, "profile")}`;
  return (
    <div className="h-full [--surface:var(--bg)]">
      <SmallGraph tree={tree} source={source} quantity="CPU" captionClass={captionClass} />
    </div>
  );
}
