import type { Endpoint } from "@flamekeep/contract";
import type { JsonSchema } from "#http/documentation/json-schema.ts";
import { toOpenApi } from "#http/documentation/openapi.ts";

let paths: ReturnType<typeof toOpenApi>["paths"] | undefined;

/** The body that the API's documentation shows; empty for a call without one. */
export function exampleBody({ method, path }: Endpoint): object {
  paths ??= toOpenApi("0.0.0").paths;
  const operations = paths[path] as Record<string, JsonSchema>;
  const { requestBody } = operations[method.toLowerCase()] as {
    requestBody?: { content: Record<string, { example: object }> };
  };
  return requestBody?.content["application/json"]?.example ?? {};
}
