import { expect, it } from "vitest";
import { httpSampleType, toHttpSeries } from "./http-signals.ts";

it("a signal and its route are one name, and read back from it", () => {
  expect(httpSampleType("http_p95", "GET /orders/{id} /x")).toBe("http_p95/seconds GET /orders/{id} /x");
  for (const signal of ["http_p95", "http_error_rate"] as const) {
    const route = "POST /a b";
    expect(toHttpSeries(httpSampleType(signal, route))).toEqual({ signal, route });
  }
  expect(toHttpSeries("cpu/nanoseconds")).toBeUndefined();
});
