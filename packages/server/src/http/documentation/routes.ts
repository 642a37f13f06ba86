import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { toGuidePage } from "#http/documentation/guide.ts";
import { toOpenApi } from "#http/documentation/openapi.ts";
import { toPage } from "#http/documentation/page.ts";

const stylesheet = new URL("page.css", import.meta.url);
const sending = new URL("../../../../../docs/sending.md", import.meta.url);

/** Serves /api/openapi.json, and for people /docs and /docs/api. Each is made once, at the first request. */
export function registerDocumentation(app: FastifyInstance, ctx: Context): void {
  const openApi = once(() => JSON.stringify(toOpenApi(ctx.version)));
  const page = once(() => toPage(ctx.config.publicUrl, ctx.version));
  const guide = once(async () => toGuidePage(await readFile(sending, "utf8"), ctx.config.publicUrl));
  app.get("/api/openapi.json", (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(openApi()),
  );
  app.get("/docs", async (_request, reply) => reply.type("text/html; charset=utf-8").send(await guide()));
  app.get("/docs/api", (_request, reply) => reply.type("text/html; charset=utf-8").send(page()));
  app.get("/docs/api.css", async (_request, reply) =>
    reply.type("text/css; charset=utf-8").send(await readFile(stylesheet)),
  );
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
