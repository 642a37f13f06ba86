import { expect, it } from "vitest";
import { endpointsQuery } from "./routes-of-service.tsx";

const queryOf = (service: string, from = "24h") =>
  endpointsQuery({ service, range: { from, to: "now" }, refetchInterval: false }, "path");

it("keeps the routes of another range while routes load, but not of another service", () => {
  const keep = queryOf("cart").placeholderData as (data: unknown, previous: unknown) => unknown;
  expect(keep("routes", queryOf("cart", "7d"))).toBe("routes");
  expect(keep("routes", queryOf("checkout"))).toBeUndefined();
});
