import { readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Context } from "#context";
import { apiAreas, apiIndex, apiPage, areaAddress } from "#http/documentation/api-page.ts";
import { framed, readTemplate } from "#http/documentation/frame.ts";
import { toOpenApi } from "#http/documentation/openapi.ts";
import { guideAddress, guidePages } from "#http/documentation/pages.ts";
import { searchEntries } from "#http/documentation/search.ts";
import { readEntries, renderGuidePage, toSearchPage, toUnknownPage } from "#http/documentation/site.ts";
import { pageBelow } from "#http/web-app/base-path.ts";

const pictures = new URL("../../../../../docs/images/flame/", import.meta.url);
const queryCharsMax = 200;

/** Serves /api/openapi.json, and for people the pages below /docs. Each is made once, at the first request. */
export function registerDocumentation(app: FastifyInstance, ctx: Context): void {
  const { publicUrl, basePath } = ctx.config;
  const send = (reply: FastifyReply, page: string) => sendPage(reply, pageBelow(page, basePath));
  const openApi = once(() => JSON.stringify(toOpenApi(ctx.version, basePath)));
  const template = once(() => readTemplate());
  const entries = once(() => readEntries(publicUrl));
  app.get("/api/openapi.json", (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(openApi()),
  );
  for (const guidePage of guidePages) {
    const page = once(() => renderGuidePage(guidePage, template(), publicUrl));
    app.get(guideAddress(guidePage), async (_request, reply) => send(reply, (await page()).html));
  }
  const index = once(() => framed(template(), { ...apiIndex(ctx.version), address: "/docs/api" }));
  app.get("/docs/api", (_request, reply) => send(reply, index()));
  for (const area of apiAreas) {
    const address = areaAddress(area);
    const page = once(() => framed(template(), { ...apiPage(area, publicUrl), address }));
    app.get(address, (_request, reply) => send(reply, page()));
  }
  app.get<{ Querystring: { q?: unknown } }>("/docs/search", async ({ query }, reply) =>
    send(reply, toSearchPage(await entries(), queryOf(query), template())),
  );
  app.get<{ Querystring: { q?: unknown } }>("/docs/search.json", async ({ query }) =>
    searchEntries(await entries(), queryOf(query)).map((found) => ({
      ...found,
      href: basePath + found.href,
    })),
  );
  app.get<{ Params: { name: string } }>("/docs/pictures/:name", ({ params }, reply) =>
    sendPicture(params.name, reply),
  );
  app.get<{ Params: { "*": string } }>("/docs/*", ({ params }, reply) =>
    send(reply.code(404), toUnknownPage(`/docs/${params["*"].slice(0, queryCharsMax)}`, template())),
  );
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type("text/html; charset=utf-8").header("cache-control", "no-cache").send(page);
}

function queryOf({ q }: { readonly q?: unknown }): string {
  return typeof q === "string" ? q.slice(0, queryCharsMax) : "";
}

async function sendPicture(name: string, reply: FastifyReply): Promise<FastifyReply> {
  const file = /^[a-z-]+\.svg$/.test(name)
    ? await readFile(new URL(name, pictures)).catch(() => undefined)
    : undefined;
  if (file === undefined)
    return reply.code(404).type("text/plain; charset=utf-8").send("There is no such picture.");
  return reply.type("image/svg+xml").header("cache-control", "public, max-age=86400").send(file);
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
