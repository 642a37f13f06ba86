import { expect, it } from "vitest";
import { Metrics } from "./metrics.ts";

it("a histogram counts the values up to each bound, by labels", () => {
  const metrics = new Metrics();
  for (const value of [0.1, 0.5, 3]) metrics.observe("wait_seconds", "Waits.", value, { of: "a" }, [0.1, 1]);
  metrics.observe("wait_seconds", "Waits.", 0.05, {}, [0.1, 1]);
  expect(metrics.toText()).toBe(`# HELP wait_seconds Waits.
# TYPE wait_seconds histogram
wait_seconds_bucket{of="a",le="0.1"} 1
wait_seconds_bucket{of="a",le="1"} 2
wait_seconds_bucket{of="a",le="+Inf"} 3
wait_seconds_sum{of="a"} 3.6
wait_seconds_count{of="a"} 3
wait_seconds_bucket{le="0.1"} 1
wait_seconds_bucket{le="1"} 1
wait_seconds_bucket{le="+Inf"} 1
wait_seconds_sum 0.05
wait_seconds_count 1
`);
});

it("counters and gauges are printed in Prometheus' text format", () => {
  const metrics = new Metrics();
  let depth = 1;
  metrics.count("requests_total", "Requests.", { route: "/a", status: 200 });
  metrics.count("requests_total", "Requests.", { route: "/a", status: 200 }, 2);
  metrics.count("requests_total", "Requests.", { route: 'a"\\\n', status: 500 });
  metrics.gauge("depth", "Depth.", () => depth, { of: "queue" });
  metrics.counter("restarts_total", "Restarts.", () => 2);
  depth = 7;
  expect(metrics.toText()).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{route="/a",status="200"} 3
requests_total{route="a\\"\\\\\\n",status="500"} 1
# HELP depth Depth.
# TYPE depth gauge
depth{of="queue"} 7
# HELP restarts_total Restarts.
# TYPE restarts_total counter
restarts_total 2
`);
});
