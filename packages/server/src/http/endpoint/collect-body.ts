import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { Failure, invalid, tooLarge } from "#failure";
import { freeChunks } from "#memory/free.ts";

/**
 * The whole body, in memory of its own. Each chunk is freed once nobody can still be reading it: left to the garbage
 * collector they are as much again as all bodies, and make it run several times a second.
 *
 * @throws too_large beyond `bytesMax`; invalid where there is less than Content-Length said, or its sender went away
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
  // What is injected without a socket is the caller's. The parser of HTTP is on the stack while it hands over the
  // last chunk.
  if (request.socket instanceof Socket) setImmediate(freeChunks, chunks);
  return body;
}

/** Of events and not by `for await`, which makes some kilobytes of garbage for each request. */
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
      // What still comes is read to nowhere.
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
  return invalid("The connection ended before the whole body had come.");
}
