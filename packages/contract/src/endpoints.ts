import * as calls from "./calls.ts";
import { areas, type Endpoint } from "./endpoint.ts";

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "position" in value;
}

/** Every call, in the order in which the documentation shows them. */
export const endpoints: readonly Endpoint[] = Object.values<unknown>(calls)
  .filter(isEndpoint)
  .sort((a, b) => areas.indexOf(a.area) - areas.indexOf(b.area) || a.position - b.position);
