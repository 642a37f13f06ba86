import type { FailureCode } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { invalid } from "#failure";
import { queryOf } from "#ingest/upload/upload.ts";
import { type AcceptedParameters, misspeltParameters, repeatedParameter } from "./ignored-parameters.ts";

/** Codes for which the fault is in the request. */
const explainedCodes: readonly FailureCode[] = ["invalid", "unprocessable"];

/** Refuses repeated parameters, and adds to other refusals which parameters of the URL are probably misspelt. */
export function explainParameters(scope: FastifyInstance, parameters: AcceptedParameters): void {
  scope.addHook("preHandler", async (request) => {
    const fault = repeatedParameter(queryOf(request), parameters);
    if (fault !== undefined) throw invalid(fault);
  });
  scope.addHook("preSerialization", async (request, reply, payload) => {
    if (!isExplained(reply.failureCode) || !hasError(payload)) return payload;
    const misspelt = misspeltParameters(queryOf(request), parameters);
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
