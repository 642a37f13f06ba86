import { listSourceLinks, removeSourceLink, updateSourceLink } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import * as operations from "./operations.ts";

export function registerSourceLinks(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, listSourceLinks, ({ actor }) => operations.listSourceLinks(ctx, actor));
  serve(app, ctx, updateSourceLink, ({ actor, params, body }) =>
    operations.updateSourceLink(ctx, actor, { service: params.service, link: body }),
  );
  serve(app, ctx, removeSourceLink, ({ actor, params }) =>
    operations.removeSourceLink(ctx, actor, params.service),
  );
}
