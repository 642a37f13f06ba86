import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { createProject, deleteProject, listProjects, updateProject } from "./operations.ts";

export function registerProjects(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listProjects, listProjects);
  serve(app, ctx, calls.createProject, createProject);
  serve(app, ctx, calls.updateProject, updateProject);
  serve(app, ctx, calls.deleteProject, deleteProject);
}
