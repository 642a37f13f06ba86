import { expect, it } from "vitest";
import { Metrics } from "./metrics.ts";

it("counters and gauges are printed in Prometheus' text format", () => {
  const metrics = new Metrics();
  let depth = 1;
  metrics.count("requests_total", "Requests.", { route: "/a", status: 200 });
  metrics.count("requests_total", "Requests.", { route: "/a", status: 200 }, 2);
  metrics.count("requests_total", "Requests.", { route: 'a"\\\n', status: 500 });
  metrics.gauge("depth", "Depth.", () => depth);
  depth = 7;
  expect(metrics.toText()).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{route="/a",status="200"} 3
requests_total{route="a\\"\\\\\\n",status="500"} 1
# HELP depth Depth.
# TYPE depth gauge
depth 7
`);
});
