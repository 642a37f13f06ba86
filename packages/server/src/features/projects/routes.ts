import { createProject, deleteProject, listProjects, updateProject } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import * as operations from "./operations.ts";

export function registerProjects(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, listProjects, ({ actor }) => operations.listProjects(ctx, actor));
  serve(app, ctx, createProject, ({ actor, body }) => operations.createProject(ctx, actor, body));
  serve(app, ctx, updateProject, ({ actor, params, body }) =>
    operations.updateProject(ctx, actor, params.id, body),
  );
  serve(app, ctx, deleteProject, ({ actor, params }) => operations.deleteProject(ctx, actor, params.id));
}
