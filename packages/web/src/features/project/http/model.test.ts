import { describe, expect, it } from "vitest";
import {
  endpointRows,
  failedRequests,
  isGoodSuccess,
  leastReliable,
  mostErrors,
  mostRequested,
  slowest,
  successRate,
} from "./model.ts";

function group(path: string, count: number, p95: number, errorRate: number) {
  return {
    path,
    count,
    avg_duration: p95 / 2,
    p95_duration: p95,
    p99_duration: p95 * 2,
    error_rate: errorRate,
  };
}

const rows = endpointRows([
  group("/orders", 1000, 0.1, 0.01),
  group("/cart", 10, 2, 0.5),
  group("/health", 5000, 0.001, 0),
  group("/a", 1, 0.2, 0),
  group("/b", 1, 0.3, 0),
  group("/c", 1, 0.4, 0),
]);
const names = (found: typeof rows) => found.map(({ name }) => name);

describe("endpoints", () => {
  it("with the most requests are the top five by count", () => {
    expect(names(mostRequested(rows)).slice(0, 3)).toEqual(["/health", "/orders", "/cart"]);
    expect(mostRequested(rows)).toHaveLength(5);
  });

  it("that are slowest have the highest p95", () => {
    expect(names(slowest(rows))).toEqual(["/cart", "/c", "/b", "/a", "/orders"]);
  });

  it("that fail are listed by rate and by number, without those that never fail", () => {
    expect(names(leastReliable(rows))).toEqual(["/cart", "/orders"]);
    expect(names(mostErrors(rows))).toEqual(["/orders", "/cart"]);
    expect(mostErrors(rows).map(failedRequests)).toEqual([10, 5]);
  });

  it("are good from a success rate of 95 percent", () => {
    const rate = (error_rate: number | null) => successRate({ ...rows[0]!, error_rate });
    expect([rate(0.05), rate(null)]).toEqual([0.95, null]);
    expect([isGoodSuccess(0.95), isGoodSuccess(0.949)]).toEqual([true, false]);
  });
});
