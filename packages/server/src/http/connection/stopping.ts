import { finished } from "node:stream";
import type { FastifyInstance } from "fastify";
import { unavailable } from "#failure";

export interface Stopping {
  hasBegun(): boolean;
  /** Registers the last step: the port closes once all running requests are answered. Register other steps before it. */
  finish(): void;
}

/** Monitoring gets replies until the port closes. */
const probes = new Set<string | undefined>(["/healthz", "/readyz", "/metrics"]);

/**
 * Stops the app gracefully. Once it begins to close, running requests are finished, new ones are refused, and every reply
 * closes its connection. The port stays open meanwhile, so that /readyz can report it. Must be registered first.
 */
export function stopGracefully(app: FastifyInstance): Stopping {
  let hasBegun = false;
  let running = 0;
  let resolveIdle = (): void => undefined;
  app.addHook("preClose", async () => {
    hasBegun = true;
  });
  app.addHook("onRequest", async (request, reply) => {
    if (!hasBegun) {
      running++;
      finished(reply.raw, () => {
        running--;
        if (running === 0) resolveIdle();
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
        const idle = new Promise<void>((resolve) => {
          resolveIdle = resolve;
        });
        if (running > 0) await idle;
        // The remaining connections are idle or never sent a request, and closing the port would wait for them.
        app.server.closeAllConnections();
      });
    },
  };
}
