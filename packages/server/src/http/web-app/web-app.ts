import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { Failure } from "#failure";
import { acceptedQuality } from "#http/reply/reply.ts";
import { pageBelow } from "#http/web-app/base-path.ts";
import { pathPattern, type RegisteredRoutes } from "#http/web-app/registered-routes.ts";

const builtApp = fileURLToPath(new URL("../../../../web/dist", import.meta.url));

/** Nobody who has a link means to publish it, but a crawler may find it in a message or an issue. */
const isPublicLink = /^\/shared\//i;
const pageMethods = ["GET", "HEAD"];

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Flamekeep</title>
<h1>The web app is not built yet</h1>
<p>The API and ingestion work. To build the pages, stop the server and run <code>npm start</code> in the project's folder.</p>
</html>`;

/**
 * Serves the built web app, and answers every path without a route: with the page of the app, or with an error as JSON.
 *
 * @param routes their paths get 405 instead of 404, and unknown paths under them get no page
 * @param basePath where the server is on its host
 */
export async function registerWebApp(
  app: FastifyInstance,
  routes: RegisteredRoutes,
  basePath = "",
  folder: string = builtApp,
): Promise<void> {
  if (existsSync(folder)) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      redirect: false,
      // Without this, folders would be answered as forbidden.
      allowedPath: (path) => !path.endsWith("/"),
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        // Vite puts the content's hash into the names of assets.
        const isHashed = path.includes("/assets/");
        reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  }
  const isPage = pageTest(folder);
  const sendIndex = (reply: FastifyReply) => sendPage(`${folder}/index.html`, basePath, reply);
  app.get("/", (_request, reply) => sendIndex(reply));
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    const { method } = request;
    if (mayBePage(method, path, routes, isPage(path))) {
      reply.header("vary", "Accept");
      if (isPublicLink.test(path)) reply.header("x-robots-tag", "noindex, nofollow");
      if (wantsPage(request, isPage(path))) return sendIndex(reply);
    }
    const allowed = isPage(path) ? pageMethods : routes.methodsOf(path);
    if (allowed.length > 0 && !allowed.includes(method)) {
      reply.header("allow", allowed.join(", "));
      const message = `${method} is not allowed here. Use ${allowed.join(" or ")}.`;
      throw new Failure("method_not_allowed", message);
    }
    const message = `There is no ${method} ${path.slice(0, 200)}. All calls are listed at ${basePath}/docs/api.`;
    throw new Failure("not_found", message);
  });
}

/** Whether `Accept` decides between the app and JSON. */
function mayBePage(method: string, path: string, routes: RegisteredRoutes, isPage: boolean): boolean {
  if (!pageMethods.includes(method)) return false;
  return isPage || !routes.sharesFirstSegment(path);
}

/** Whether to answer the app: at its own pages unless JSON is preferred, elsewhere only to clients that name HTML. */
function wantsPage({ headers }: FastifyRequest, isPage: boolean): boolean {
  const accept = headers.accept ?? "*/*";
  const html = acceptedQuality(accept, "text/html");
  const isPreferred = html.quality > 0 && html.quality >= acceptedQuality(accept, "application/json").quality;
  return isPreferred && (html.isNamed || isPage);
}

const PageList = z.array(z.object({ path: z.string() }));

/** Returns a test for the paths of pages, which the build of the app lists; before the first build only `/` is one. */
function pageTest(folder: string): (path: string) => boolean {
  const file = `${folder}/pages.json`;
  const list = existsSync(file) ? PageList.parse(JSON.parse(readFileSync(file, "utf8"))) : [{ path: "/" }];
  const patterns = list.map(({ path }) => pathPattern(path));
  return (path) => {
    const trimmed = path === "/" ? path : path.replace(/\/$/, "");
    return patterns.some((pattern) => pattern.test(trimmed));
  };
}

/** The path as it was sent: parsing it as a URL would throw for a hostile path such as `//[`. */
function pathOf({ url }: Pick<FastifyRequest, "url">): string {
  return url.split("?")[0] ?? "";
}

async function sendPage(file: string, basePath: string, reply: FastifyReply): Promise<FastifyReply> {
  reply.type("text/html; charset=utf-8").header("cache-control", "no-cache");
  try {
    return reply.send(pageBelow(await readFile(file, "utf8"), basePath));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    return reply.code(503).send(notBuilt);
  }
}
