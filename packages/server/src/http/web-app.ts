import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "#failure";
import { sendFailure } from "#http/error-reply.ts";

const builtApp = fileURLToPath(new URL("../../../web/dist", import.meta.url));

/** Paths that belong to programs: here an unknown one is an error and not a page of the app. */
const programPaths = /^\/(api|auth|ingest|metrics|healthz|readyz|assets)(\/|$)/;

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Flamekeep</title>
<h1>The web app is not built yet</h1>
<p>The API and ingestion work. To build the pages, stop the server and run <code>npm start</code> in the project's folder.</p>
</html>`;

/** The built web app with its fallback: every path of the app answers its index page. */
export async function registerWebApp(app: FastifyInstance, folder: string = builtApp): Promise<void> {
  if (existsSync(folder)) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      redirect: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        // Vite puts the content's hash into the names of assets.
        const isHashed = path.includes("/assets/");
        reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  }
  app.get("/", (_request, reply) => sendIndex(folder, reply));
  app.setNotFoundHandler((request, reply) => {
    if (isPage(request)) return sendIndex(folder, reply);
    const words = `There is no ${request.method} ${pathOf(request).slice(0, 200)}. All calls are listed at /docs/api.`;
    return sendFailure(new Failure("not_found", words), request, reply);
  });
}

function isPage(request: FastifyRequest): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  return (
    !programPaths.test(pathOf(request)) &&
    (request.headers.accept ?? "*/*").match(/text\/html|\*\/\*/) !== null
  );
}

/** As it was asked for: parsing it as a URL would throw at what a hostile client can send, such as `//[`. */
function pathOf(request: FastifyRequest): string {
  return request.url.split("?")[0] ?? "";
}

async function sendIndex(folder: string, reply: FastifyReply): Promise<FastifyReply> {
  reply.type("text/html; charset=utf-8").header("cache-control", "no-cache");
  try {
    return reply.send(await readFile(`${folder}/index.html`));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    return reply.code(503).send(notBuilt);
  }
}
