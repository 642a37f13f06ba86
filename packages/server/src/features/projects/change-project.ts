import { randomUUID } from "node:crypto";
import type { createProject, deleteProject, Project, ReplyOf, updateProject } from "@flamekeep/contract";
import type { z } from "zod";
import type { Context, UserActor } from "#context";
import { notFound, quotaExceeded } from "#failure";
import { limitRefusals } from "#telemetry/metrics.ts";
import { allProjects } from "./list-projects.ts";
import { changeDerived, changeProject, insertProject, removeProject } from "./queries.ts";

export async function addProject(
  ctx: Context,
  actor: UserActor,
  { name, description, tags }: z.output<(typeof createProject)["body"]>,
): Promise<ReplyOf<typeof createProject>> {
  const at = ctx.now().toISOString();
  const id = randomUUID();
  const { projectsMax } = ctx.config.organization;
  const project = {
    id,
    orgId: actor.orgId,
    name,
    description,
    status: "active" as const,
    tags: JSON.stringify(tags),
    memberCount: 1,
    createdAt: at,
    updatedAt: at,
  };
  if (!(await insertProject(ctx.rows, project, projectsMax))) {
    ctx.metrics.count(limitRefusals.name, limitRefusals.help, { limit: "projects" });
    throw quotaExceeded(
      `Your organization has ${projectsMax} projects, the most this server allows (ORG_PROJECTS_MAX). Delete one first.`,
    );
  }
  ctx.log.info({ projectId: id, orgId: actor.orgId, userId: actor.userId }, "project created");
  return { project: await existing(ctx, actor, id) };
}

export async function editProject(
  ctx: Context,
  actor: UserActor,
  id: string,
  { name, description, status, tags }: z.output<(typeof updateProject)["body"]>,
): Promise<ReplyOf<typeof updateProject>> {
  const { is_derived: isDerived } = await existing(ctx, actor, id);
  const { orgId } = actor;
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(status === undefined ? {} : { status }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
    updatedAt: ctx.now().toISOString(),
  };
  if (isDerived) await changeDerived(ctx.rows, { orgId, service: id }, change);
  else await changeProject(ctx.rows, { orgId, id }, change);
  return { project: await existing(ctx, actor, id) };
}

export async function dropProject(
  ctx: Context,
  actor: UserActor,
  id: string,
): Promise<ReplyOf<typeof deleteProject>> {
  const { is_derived: isDerived } = await existing(ctx, actor, id);
  const { orgId, userId } = actor;
  const at = ctx.now().toISOString();
  if (isDerived) await changeDerived(ctx.rows, { orgId, service: id }, { isHidden: 1, updatedAt: at });
  else await removeProject(ctx.rows, orgId, id);
  ctx.log.info({ projectId: id, orgId, userId }, "project deleted");
  return { id };
}

async function existing(ctx: Context, { orgId }: UserActor, id: string): Promise<Project> {
  const project = (await allProjects(ctx, orgId)).find((each) => each.id === id);
  if (project === undefined) throw notFound("Project", id);
  return project;
}
