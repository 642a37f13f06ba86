import type { FastifyInstance } from "fastify";

/** JSON bodies, where nothing at all is allowed too: clients that always say `application/json` send empty bodies. */
export function readJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else void parseJson(request, body as string, done);
  });
}
