import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { unavailable } from "#failure";

/** How long a sender may go on with a body that is dropped. */
const dropMsMax = 5_000;
const errorFrom = 400;

/**
 * Answers requests once that are refused before their body has come: the reply closes the connection. Otherwise Node would read the body
 * until its time is over, and answer again.
 */
export function closeUnreadBodies(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ raw }) => {
    // It came behind a body that was dropped, and its reply could not be sent.
    if (raw.socket instanceof Socket && raw.socket.writableEnded)
      throw unavailable("The connection was closed after the request before this one.");
  });
  app.addHook("onSend", async ({ raw }, reply) => {
    // Injected requests have no socket.
    if (reply.statusCode < errorFrom || !hasBody(raw) || !(raw.socket instanceof Socket)) return;
    // The parser may have more of the bytes that came with the head.
    await setImmediate();
    if (raw.complete) return;
    reply.header("connection", "close");
    dropRest(raw.socket);
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Node closes the socket with `destroySoon` once the reply is written. Bytes that come afterwards make the system reset the connection, and
 * a sender that is still writing would never read the reply. So the socket only ends, while Node drops what comes until the sender ends too.
 */
function dropRest(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), dropMsMax);
    socket.once("close", () => clearTimeout(timer));
  };
}
