import {
  flameGraphContentType,
  flameGraphDiff,
  listServices,
  mergedFlameGraph,
  typeTimeline,
} from "@flamekeep/contract";
import type { Actor, Context } from "#context";
import { getFlameGraphDiff } from "./features/flame-graph/diff.ts";
import { DrawnGraphs } from "./features/flame-graph/drawn-graphs.ts";
import { getMergedFlameGraph } from "./features/flame-graph/operations.ts";
import * as profiles from "./features/profiles/operations.ts";
import { getTimeline } from "./features/timeline/operations.ts";

/** No organization has this id, so that the calls find no profile. */
const nobody: Actor = { kind: "demo", orgId: "00000000-0000-0000-0000-000000000000" };
const service = "none";

/**
 * Makes the calls of a page once, for an organization that does not exist, so that the first person does not wait until code and
 * indexes are loaded and the decoding thread has started. Run it when the server is ready.
 */
export async function warmUp(ctx: Context): Promise<void> {
  const drawn = new DrawnGraphs(ctx.columns, 0);
  const headers = { accept: flameGraphContentType };
  await profiles.listServices(ctx, nobody, listServices.query.parse({}));
  const timeline = typeTimeline.query.parse({ from: "24h" });
  await getTimeline(ctx, nobody, { service, type: "cpu", query: timeline });
  const params = { service, type: "cpu" as const };
  await getMergedFlameGraph(
    ctx,
    nobody,
    { params, query: mergedFlameGraph.query.parse({ from: "24h" }), headers },
    drawn,
  );
  const comparison = flameGraphDiff.query.parse({ service, type: "cpu", after_from: "1h" });
  await getFlameGraphDiff(ctx, nobody, { query: comparison, headers: {} }, drawn);
}
