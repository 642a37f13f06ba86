import { finished } from "node:stream";
import type { FastifyInstance } from "fastify";
import { unavailable } from "#failure";

export interface Stopping {
  hasBegun(): boolean;
  /** Registers the end: the port closes once what was under way is answered. Whatever else stops first registers before. */
  finish(): void;
}

/** Who watches the server is told how it is for as long as it can be asked. */
const probes = new Set<string | undefined>(["/healthz", "/readyz", "/metrics"]);

/**
 * From the moment the app begins to close: what is under way is finished, what comes then is sent away, and every
 * answer ends its connection. The port stays open meanwhile, so that /readyz can say so. Must be registered first.
 */
export function stopInOrder(app: FastifyInstance): Stopping {
  let hasBegun = false;
  let underWay = 0;
  let lastIsAnswered = (): void => undefined;
  app.addHook("preClose", async () => {
    hasBegun = true;
  });
  app.addHook("onRequest", async (request, reply) => {
    if (!hasBegun) {
      underWay++;
      finished(reply.raw, () => {
        underWay--;
        if (underWay === 0) lastIsAnswered();
      });
    } else if (!probes.has(request.routeOptions.url)) {
      throw unavailable("The server is stopping. Try again in a moment.");
    }
  });
  app.addHook("onSend", async (_request, reply) => {
    if (hasBegun) reply.header("connection", "close");
  });
  return {
    hasBegun: () => hasBegun,
    finish() {
      app.addHook("preClose", async () => {
        const answered = new Promise<void>((resolve) => {
          lastIsAnswered = resolve;
        });
        if (underWay > 0) await answered;
        // What is left is idle, or never asked anything: closing the port would wait for both.
        app.server.closeAllConnections();
      });
    },
  };
}
