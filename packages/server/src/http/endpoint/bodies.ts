import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { Failure, invalid, tooLarge } from "#failure";
import { JsonFault, type JsonLimits, jsonDepthMax, skipSpace, valueEnd } from "#json/scan-json.ts";
import { freeChunks } from "#memory/free.ts";

/**
 * Reads the whole body into a separate buffer. Each chunk is freed once nothing can read it any more: left to the garbage
 * collector, the chunks take as much memory as all bodies and make it run several times a second.
 *
 * @throws too_large beyond `bytesMax`; invalid if the length differs from Content-Length or the sender disconnects
 */
export async function collectBody(
  request: IncomingMessage,
  payload: Readable,
  bytesMax: number,
): Promise<Buffer> {
  const chunks = await chunksOf(payload, bytesMax);
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const declared = Number(request.headers["content-length"] ?? length);
  if (declared !== length)
    throw invalid(`The body has ${length} bytes where Content-Length says ${declared}.`);
  const body = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(body, at);
  // Without a socket the request was injected, and its chunks belong to the caller. The HTTP parser is still on the
  // stack when it passes the last chunk.
  if (request.socket instanceof Socket) setImmediate(freeChunks, chunks);
  return body;
}

/** Uses events instead of `for await`, which makes some kilobytes of garbage for each request. */
function chunksOf(payload: Readable, bytesMax: number): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    payload.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      // Later chunks are read and dropped.
      chunks.length = 0;
      reject(tooLarge(`The body is larger than the ${bytesMax} bytes this call accepts. Send less.`));
    });
    payload.once("end", () => resolve(chunks));
    payload.once("error", (error) => reject(error instanceof Failure ? error : incomplete()));
    payload.once("close", () => {
      if (!payload.readableEnded) reject(incomplete());
    });
  });
}

function incomplete(): Failure {
  return invalid("The connection closed before the complete body arrived.");
}

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
    if (depth !== undefined) return done(invalid(`The body was rejected: ${depth}.`));
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
