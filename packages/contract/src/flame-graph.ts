import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { Count, ProfileParams, Quantity } from "./profiles.ts";

/** The columns the app itself reads; see the flame package for the layout. */
export const flameGraphContentType = "application/vnd.flamekeep.flamegraph.v1";

export interface FlameGraphNode {
  function_name: string;
  package_name: string;
  file_name: string;
  line_number: number;
  self_value: number;
  total_value: number;
  self_percent: number;
  total_percent: number;
  sample_count: number;
  /** Left edge and width in percent of the row. */
  x: number;
  width: number;
  depth: number;
  /** `root`, and for a child its parent's id with `_{number}` behind it. */
  node_id: string;
  color: string;
  children: FlameGraphNode[];
}

export const FlameGraphNode: z.ZodType<FlameGraphNode> = z
  .object({
    function_name: z.string().meta({ example: "encoding/json.Marshal" }),
    package_name: z.string().meta({ example: "encoding/json" }),
    file_name: z.string().meta({ example: "encode.go" }),
    line_number: Count,
    self_value: Quantity,
    total_value: Quantity,
    self_percent: z.number(),
    total_percent: z.number(),
    sample_count: Quantity,
    x: z.number().meta({ description: "Left edge in percent of the row." }),
    width: z.number().meta({ description: "Percent of the row." }),
    depth: Count,
    node_id: z.string().meta({ example: "root_0_2" }),
    color: z.string().meta({ example: "#e4572e" }),
    get children(): z.ZodType<FlameGraphNode[]> {
      return z.array(FlameGraphNode);
    },
  })
  .meta({ id: "FlameGraphNode" });

export const FlameGraph = z
  .object({
    profile_id: z.string(),
    total_samples: Quantity.meta({ description: "Sum of the chosen sample type." }),
    duration_ms: z.number(),
    profile_hash: z.string(),
    sample_type: z.object({ type: z.string(), unit: z.string() }).meta({
      example: { type: "cpu", unit: "nanoseconds" },
    }),
    root: FlameGraphNode,
    elided_nodes: Count.meta({ description: "Nodes left out because `max_nodes` was reached." }),
  })
  .meta({ id: "FlameGraph" });
export type FlameGraph = z.output<typeof FlameGraph>;

export const flameGraph = endpoint({
  method: "GET",
  path: "/api/v1/protected/flamegraph/{id}",
  area: "Profiles",
  summary: "The flame graph of one profile",
  description: `JSON, or columns when \`Accept\` asks for ${flameGraphContentType}: the form for large graphs.`,
  auth: "session",
  params: ProfileParams,
  query: z.object({
    sample_type: z.string().max(200).optional().meta({
      description: "One of the profile's sample types; its main one when absent.",
      example: "inuse_space",
    }),
    max_nodes: z.coerce.number().int().min(1).max(limits.flameGraphNodesMax).default(limits.flameGraphNodes),
  }),
  reply: FlameGraph,
  downloads: [{ contentType: flameGraphContentType, description: "Columns of the whole call tree." }],
  failures: ["not_found", "unprocessable"],
});
