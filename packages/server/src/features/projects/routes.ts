import { createProject, deleteProject, listProjects, updateProject } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { addProject, dropProject, editProject } from "./change-project.ts";
import { allProjects } from "./list-projects.ts";

export function registerProjects(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, listProjects, async ({ actor }) => ({ projects: await allProjects(ctx, actor.orgId) }));
  serve(app, ctx, createProject, ({ actor, body }) => addProject(ctx, actor, body));
  serve(app, ctx, updateProject, ({ actor, params, body }) => editProject(ctx, actor, params.id, body));
  serve(app, ctx, deleteProject, ({ actor, params }) => dropProject(ctx, actor, params.id));
}
