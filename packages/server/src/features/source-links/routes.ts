import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { listSourceLinks, removeSourceLink, updateSourceLink } from "./operations.ts";

export function registerSourceLinks(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listSourceLinks, listSourceLinks);
  serve(app, ctx, calls.updateSourceLink, updateSourceLink);
  serve(app, ctx, calls.removeSourceLink, removeSourceLink);
}
