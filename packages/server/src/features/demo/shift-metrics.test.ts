import { expect, it } from "vitest";
import { shiftMetrics } from "./shift-metrics.ts";

const recorded = [
  '{"timestamp":"2026-01-01T00:00:01.250Z","duration":0.5,"status_code":200,"method":"GET","path":"/a","request_id":"r2"}',
  '{"timestamp":"2026-01-01T00:00:00.250Z","duration":0.1,"status_code":404,"method":"PUT","path":"/b","request_id":"r1"}',
].join("\n");

it("puts the first request at the time asked for and keeps distances, order and all else", () => {
  const shifted = shiftMetrics(`${recorded}\n`, Date.UTC(2030, 0, 2, 3));
  expect(
    shifted
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    {
      timestamp: "2030-01-02T03:00:01.000Z",
      duration: 0.5,
      status_code: 200,
      method: "GET",
      path: "/a",
      request_id: "r2",
    },
    {
      timestamp: "2030-01-02T03:00:00.000Z",
      duration: 0.1,
      status_code: 404,
      method: "PUT",
      path: "/b",
      request_id: "r1",
    },
  ]);
});
