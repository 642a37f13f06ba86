import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

/** A request as a client sent it, without what names the two machines or carries a key. */
export interface CapturedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const dropped = new Set([
  "host",
  "authorization",
  "x-api-key",
  "dd-api-key",
  "connection",
  "content-length",
  "transfer-encoding",
]);

function captured(request: IncomingMessage, body: Buffer): CapturedRequest {
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values]) =>
    dropped.has(name) ? [] : [[name, values!.join(", ")]],
  );
  return {
    method: request.method ?? "",
    url: request.url ?? "",
    headers: Object.fromEntries(headers),
    body,
  };
}

/** Accepts everything that is sent to `url` while `use` runs. */
export async function capture(
  port: number,
  use: (url: string, requests: readonly CapturedRequest[]) => Promise<void>,
): Promise<CapturedRequest[]> {
  const requests: CapturedRequest[] = [];
  const server = createServer(async (request, reply) => {
    requests.push(captured(request, await buffer(request)));
    reply.setHeader("content-type", "application/json").end("{}");
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return requests;
}

export async function untilCaptured(requests: readonly CapturedRequest[], count: number): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (requests.length < count) {
    if (Date.now() > deadline) throw new Error(`${requests.length} of ${count} requests arrived`);
    await wait(100);
  }
}
