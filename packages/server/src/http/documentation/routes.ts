import { readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Context } from "#context";
import { apiAreas, apiEntries, apiIndex, apiPage, areaAddress } from "#http/documentation/api-page.ts";
import { framed, readTemplate } from "#http/documentation/frame.ts";
import { toOpenApi } from "#http/documentation/openapi.ts";
import { type GuidePage, guideAddress, guidePages } from "#http/documentation/pages.ts";
import { type SearchEntry, type SearchResult, searchEntries } from "#http/documentation/search.ts";
import { pageBelow } from "#http/web-app/base-path.ts";
import { type Html, html, joined } from "./html.ts";
import { guideOf } from "./markdown.ts";

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

/** The address of the server in the guide, replaced by the public one. */
const writtenUrl = "http://localhost:4040";
const projectFolder = new URL("../../../../../", import.meta.url);

interface RenderedPage {
  readonly html: string;
  readonly entries: readonly SearchEntry[];
}

/** A page of the guide, with the parts that a search finds. */
export async function renderGuidePage(
  page: GuidePage,
  template: string,
  publicUrl: string,
): Promise<RenderedPage> {
  const markdown = await readFile(new URL(page.file, projectFolder), "utf8");
  const { title, body, contents, sections } = guideOf(markdown.replaceAll(writtenUrl, publicUrl), page.file);
  const address = guideAddress(page);
  return {
    html: framed(template, { title, address, body, contents }),
    entries: sections.map(({ heading, text }) => ({
      href: heading === undefined ? address : `${address}#${heading.anchor}`,
      page: title,
      heading: heading?.title,
      text,
    })),
  };
}

/** All that the search knows: the guide, then the calls of the API. */
export async function readEntries(publicUrl: string): Promise<SearchEntry[]> {
  const pages = await Promise.all(guidePages.map((page) => renderGuidePage(page, "", publicUrl)));
  return [...pages.flatMap(({ entries }) => entries), ...apiEntries()];
}

/** The results as a page, for browsers without scripts and for links. */
export function toSearchPage(entries: readonly SearchEntry[], query: string, template: string): string {
  const results = searchEntries(entries, query);
  const list = html`<ul class="results">${joined(results.map(resultItem))}</ul>`;
  const nothing =
    query.trim() === ""
      ? html`<p>Type a search term into the field at the top.</p>`
      : html`<p>Nothing in the documentation contains “${query}”. Try fewer or other words.</p>`;
  return framed(template, {
    title: "Search",
    address: "/docs/search",
    contents: [],
    body: html`<h1>${query.trim() === "" ? "Search" : `Results for “${query}”`}</h1>${results.length === 0 ? nothing : list}`,
  });
}

function resultItem({ href, page, heading, excerpt }: SearchResult): Html {
  return html`<li><a href="${href}"><strong>${heading ?? page}</strong><span>${page}</span></a><p>${excerpt}</p></li>`;
}

export function toUnknownPage(path: string, template: string): string {
  return framed(template, {
    title: "Page not found",
    address: path,
    contents: [],
    body: html`<h1>This page does not exist</h1>
<p>There is nothing at <code>${path}</code>. Search at the top, or begin with <a href="/docs">Start</a>.</p>`,
  });
}
