import { minuteMs } from "./durations.ts";
import { endpoint } from "./endpoint.ts";
import { flameGraphContentType, flameGraphForms } from "./flame-graph.ts";
import { MergedFlameGraph } from "./merged-flame-graph.ts";

/** The demo's HTTP metrics of a service: a short recording in each period. Whole days of all requests would be millions. */
export const demoRequests = { everyMs: 5 * minuteMs, recordedSeconds: 10 } as const;

export const demoFlameGraph = endpoint({
  method: "GET",
  path: "/api/v1/demo/flame-graph",
  area: "Operation",
  summary: "CPU of a service of the demo, for the landing page",
  description: `One flame graph of the last 24 hours, the same for everybody, drawn again every five minutes. ${flameGraphForms} 404 on a server without the demo.`,
  auth: "none",
  reply: MergedFlameGraph,
  downloads: [{ contentType: flameGraphContentType, description: "Columns of the call tree." }],
  failures: ["not_found"],
});
