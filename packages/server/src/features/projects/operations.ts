import { randomUUID } from "node:crypto";
import type * as calls from "@flamekeep/contract";
import type { InputOf, Project, ReplyOf } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { Actor, Context, UserActor } from "#context";
import { notFound, quotaExceeded } from "#failure";
import { servicesByType } from "#store/profiles/service-totals.ts";
import { limitRefusals } from "#telemetry/metrics.ts";
import { joinProjects, type ServiceActivity } from "./join-projects.ts";
import {
  countMembers,
  derivedProjects,
  insertProject,
  removeProject,
  storedProjects,
  updateDerivedProject,
  updateStoredProject,
} from "./queries.ts";

export async function listProjects(
  ctx: Context,
  { orgId }: Actor,
): Promise<ReplyOf<typeof calls.listProjects>> {
  const [projects, members] = await Promise.all([readProjects(ctx, orgId), countMembers(ctx.rows, orgId)]);
  return { projects, team_members: members };
}

export async function createProject(
  ctx: Context,
  actor: UserActor,
  { name, description, tags }: InputOf<typeof calls.createProject>,
): Promise<ReplyOf<typeof calls.createProject>> {
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
  return { project: await findProject(ctx, actor, id) };
}

export async function updateProject(
  ctx: Context,
  actor: UserActor,
  { id, name, description, status, tags }: InputOf<typeof calls.updateProject>,
): Promise<ReplyOf<typeof calls.updateProject>> {
  const { is_derived: isDerived } = await findProject(ctx, actor, id);
  const { orgId } = actor;
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(status === undefined ? {} : { status }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
    updatedAt: ctx.now().toISOString(),
  };
  if (isDerived) await updateDerivedProject(ctx.rows, { orgId, service: id }, change);
  else await updateStoredProject(ctx.rows, { orgId, id }, change);
  return { project: await findProject(ctx, actor, id) };
}

export async function deleteProject(
  ctx: Context,
  actor: UserActor,
  { id }: InputOf<typeof calls.deleteProject>,
): Promise<ReplyOf<typeof calls.deleteProject>> {
  const { is_derived: isDerived } = await findProject(ctx, actor, id);
  const { orgId, userId } = actor;
  const at = ctx.now().toISOString();
  if (isDerived) await updateDerivedProject(ctx.rows, { orgId, service: id }, { isHidden: 1, updatedAt: at });
  else await removeProject(ctx.rows, orgId, id);
  ctx.log.info({ projectId: id, orgId, userId }, "project deleted");
  return { id };
}

async function findProject(ctx: Context, { orgId }: UserActor, id: string): Promise<Project> {
  const project = (await readProjects(ctx, orgId)).find((each) => each.id === id);
  if (project === undefined) throw notFound("Project", id);
  return project;
}

/** All projects of an organization, with the number of profiles that are still stored. */
async function readProjects(ctx: Context, orgId: string): Promise<Project[]> {
  const now = ctx.now();
  const fromMs = Math.floor(now.getTime() / dayMs - ctx.config.retentionDays) * dayMs;
  // To the end of tomorrow, because clocks of senders may be fast.
  const toMs = (Math.floor(now.getTime() / dayMs) + 2) * dayMs;
  const [created, changed, rows] = await Promise.all([
    storedProjects(ctx.rows, orgId),
    derivedProjects(ctx.rows, orgId),
    servicesByType(ctx.columns, { orgId, fromMs, toMs, now }),
  ]);
  const services = new Map<string, ServiceActivity>();
  for (const { service, type, profiles, latest } of rows) {
    const before = services.get(service) ?? { service, profiles: 0, latest };
    services.set(service, {
      service,
      profiles: before.profiles + (type === "metrics" ? 0 : profiles),
      latest: new Date(Math.max(latest.getTime(), before.latest.getTime())),
    });
  }
  return joinProjects(created, changed, [...services.values()], now);
}
