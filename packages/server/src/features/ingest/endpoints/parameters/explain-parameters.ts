import { type FailureCode, ingestHttpMetrics, ingestProfile, ingestPyroscope } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { invalid } from "#failure";
import type { Query } from "#ingest/endpoints/upload.ts";
import {
  misspeltParameters,
  repeatedParameter,
  type TakenParameters,
  takenParameters,
} from "./ignored-parameters.ts";

const taken: readonly (TakenParameters & { readonly path: string })[] = [
  ...[ingestProfile, ingestHttpMetrics, ingestPyroscope],
  { ...ingestPyroscope, path: `/pyroscope${ingestPyroscope.path}` },
].map((endpoint) => ({ ...takenParameters(endpoint), path: endpoint.path }));

const takenByPath: ReadonlyMap<string | undefined, TakenParameters> = new Map(
  taken.map((parameters) => [parameters.path, parameters]),
);

/** After these a sender looks for a fault in what it sent. */
const explainedCodes: readonly FailureCode[] = ["invalid", "unprocessable"];

/** Refuses repeated parameters, and adds to other refusals which parameters of the URL are probably misspelt. */
export function explainParameters(scope: FastifyInstance): void {
  scope.addHook("preHandler", async (request) => {
    const parameters = takenByPath.get(request.routeOptions.url);
    const fault = parameters && repeatedParameter(request.query as Query, parameters);
    if (fault !== undefined) throw invalid(fault);
  });
  scope.addHook("preSerialization", async (request, reply, payload) => {
    const parameters = takenByPath.get(request.routeOptions.url);
    if (parameters === undefined || !isExplained(reply.failureCode) || !hasError(payload)) return payload;
    const misspelt = misspeltParameters(request.query as Query, parameters);
    if (misspelt === "") return payload;
    return { ...payload, error: `${payload.error.replace(/\.$/, "")}. ${misspelt}` };
  });
}

function isExplained(code: FailureCode | undefined): boolean {
  return code !== undefined && explainedCodes.includes(code);
}

function hasError(payload: unknown): payload is { readonly error: string } {
  return (
    typeof payload === "object" && payload !== null && "error" in payload && typeof payload.error === "string"
  );
}
