import type { DashboardDefinition } from "@flamekeep/contract";

export interface Template {
  /** In place of the id of a dashboard in the address. */
  readonly id: string;
  readonly definition: DashboardDefinition;
}

const common = { title: "", service: "$service" } as const;

/** Dashboards that everybody can open, and copy to change them. */
export const templates: readonly Template[] = [
  {
    id: "one-service",
    definition: {
      name: "One service",
      description:
        "Figures, flame graph, hottest functions, routes and open alerts of the service you choose.",
      variables: { service: "", version: "", region: "" },
      range: "24h",
      panels: [
        { ...common, kind: "lane", id: "cpu", figure: "cpu", width: 1 },
        { ...common, kind: "lane", id: "memory", figure: "memory", width: 1 },
        { ...common, kind: "lane", id: "goroutines", figure: "goroutine", width: 1 },
        { ...common, kind: "lane", id: "locks", figure: "mutex", width: 1 },
        { ...common, kind: "lane", id: "latency", figure: "p95", width: 1 },
        { ...common, kind: "lane", id: "errors", figure: "errors", width: 1 },
        { ...common, kind: "flame_graph", id: "cpu-graph", type: "cpu", width: 2 },
        { ...common, kind: "top", id: "cpu-top", type: "cpu", width: 1 },
        { ...common, kind: "routes", id: "routes", width: 2 },
        { ...common, kind: "alerts", id: "alerts", width: 1 },
        { ...common, kind: "flame_graph", id: "memory-graph", type: "memory", width: 2 },
        { ...common, kind: "top", id: "memory-top", type: "memory", width: 1 },
      ],
    },
  },
];
