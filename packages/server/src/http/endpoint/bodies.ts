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
  const header = request.headers["content-length"];
  const declared = header === undefined ? undefined : Number(header);
  // Without a socket the request was injected, and its chunks belong to the caller.
  return readWhole(payload, { declared, bytesMax, ownsChunks: request.socket instanceof Socket });
}

interface Expected {
  /** Undefined if the length is not known before. */
  readonly declared: number | undefined;
  readonly bytesMax: number;
  /** Whether chunks may be freed. */
  readonly ownsChunks: boolean;
}

/** As `collectBody`, of any stream of an HTTP message. */
export async function readWhole(payload: Readable, expected: Expected): Promise<Buffer<ArrayBuffer>> {
  const body = new CollectedBody(expected);
  await readInto(body, payload);
  return body.end();
}

/** The event loop is not held by a large body: each chunk is copied when it arrives, unless the length is not known before. */
class CollectedBody {
  readonly #expected: Expected;
  /** Memory that is not written yet takes none. */
  readonly #whole: Buffer<ArrayBuffer> | undefined;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(expected: Expected) {
    this.#expected = expected;
    const { declared, bytesMax } = expected;
    if (declared !== undefined && declared <= bytesMax) this.#whole = Buffer.allocUnsafeSlow(declared);
  }

  add(chunk: Buffer): void {
    const at = this.#length;
    this.#length += chunk.length;
    const { bytesMax } = this.#expected;
    if (this.#length > bytesMax) {
      // Later chunks are read and dropped.
      this.#chunks = [];
      throw tooLarge(`The body is larger than the ${bytesMax} bytes this call accepts. Send less.`);
    }
    if (this.#whole === undefined) {
      this.#chunks.push(chunk);
      return;
    }
    chunk.copy(this.#whole, at);
    this.#free([chunk]);
  }

  end(): Buffer<ArrayBuffer> {
    const declared = this.#expected.declared ?? this.#length;
    if (declared !== this.#length)
      throw invalid(`The body has ${this.#length} bytes where Content-Length says ${declared}.`);
    if (this.#whole !== undefined) return this.#whole;
    const body = Buffer.allocUnsafeSlow(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) at += chunk.copy(body, at);
    this.#free(this.#chunks);
    return body;
  }

  /** The HTTP parser is still on the stack when it passes a chunk. */
  #free(chunks: readonly Buffer[]): void {
    if (this.#expected.ownsChunks) setImmediate(freeChunks, chunks);
  }
}

/** Uses events instead of `for await`, which makes some kilobytes of garbage for each request. */
function readInto(body: CollectedBody, payload: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    payload.on("data", (chunk: Buffer) => {
      try {
        body.add(chunk);
      } catch (error) {
        reject(error);
      }
    });
    payload.once("end", resolve);
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
