import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A process with `/debug/pprof`: what it answers by path, and what it was asked for. */
export interface PprofServer {
  readonly port: number;
  /** `127.0.0.1:PORT` */
  readonly place: string;
  /** Addresses as asked for, in their order. */
  readonly asked: string[];
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Paths without an answer are 404 as in Go's `net/http/pprof`. */
export async function startPprofServer(answers: Readonly<Record<string, Answer>>): Promise<PprofServer> {
  const asked: string[] = [];
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(request.url ?? "");
    requests.push(request);
    const answer = answers[new URL(request.url ?? "", "http://x").pathname];
    if (answer !== undefined) return answer(request, response);
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8", "x-go-pprof": "1" });
    response.end("Unknown profile\n");
  };
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    place: `127.0.0.1:${port}`,
    asked,
    requests,
    async close() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

export function bytes(body: Uint8Array | (() => Uint8Array)): Answer {
  return (_request, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    response.end(typeof body === "function" ? body() : body);
  };
}

export function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers });
    response.end(body);
  };
}
