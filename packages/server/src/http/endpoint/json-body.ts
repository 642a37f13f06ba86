import type { FastifyInstance } from "fastify";
import { invalid } from "#failure";
import { JsonFault, type JsonLimits, jsonDepthMax, skipSpace, valueEnd } from "#json/scan-json.ts";

/** The body limits of the routes bound the size. */
const limits: JsonLimits = { depthMax: jsonDepthMax, bytesMax: Number.POSITIVE_INFINITY };

/**
 * Parses JSON bodies. Empty bodies are accepted, because some clients send `application/json` with every request. Nesting is
 * bounded before the body is parsed; all other faults are found by the parser.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0) return done(null, undefined);
    const depth = depthFault(bytes);
    if (depth !== undefined) return done(invalid(`The body is refused: ${depth}.`));
    void parseJson(request, bytes.toString(), done);
  });
}

function depthFault(bytes: Uint8Array): string | undefined {
  try {
    valueEnd(bytes, skipSpace(bytes, 0), limits);
    return undefined;
  } catch (error) {
    if (error instanceof JsonFault) return error.kind === "depth" ? error.message : undefined;
    throw error;
  }
}
