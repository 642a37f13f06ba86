import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { InputOf, Project, ReplyOf, ServiceGauges } from "@flamekeep/contract";
import * as calls from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Actor, Context } from "#context";
import { invalid, notFound, quotaExceeded } from "#failure";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { type Place, pageOf, searchOf } from "#http/query/page.ts";
import { listedRange } from "#http/query/time-range.ts";
import { servicesOfProject } from "#store/profiles/project-services.ts";
import { sumsOfServices } from "#store/profiles/service-sums.ts";
import { type ServicesTotals, totalsOfServices } from "#store/profiles/service-totals.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import { changesRow, countRows, type RowStore } from "#store/row/row-store.ts";
import { limitRefusals } from "#telemetry/metrics.ts";
import {
  type DerivedRow,
  joinProjects,
  namesIn,
  type ProjectEntry,
  type ProjectRow,
  toProject,
} from "./present.ts";

export function registerProjects(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listProjects, listProjects);
  serve(app, ctx, calls.getProject, getProject);
  serve(app, ctx, calls.projectFigures, getProjectFigures);
  serve(app, ctx, calls.organizationFigures, getOrganizationFigures);
  serve(app, ctx, calls.createProject, createProject);
  serve(app, ctx, calls.updateProject, updateProject);
  serve(app, ctx, calls.deleteProject, deleteProject);
}

const listProjects: Operation<typeof calls.listProjects> = async (ctx, { orgId }, query) => {
  const [{ all, totals }, members] = await Promise.all([
    readProjects(ctx, orgId),
    countMembers(ctx.rows, orgId),
  ]);
  const text = query.q.trim().toLowerCase();
  const search = searchOf(text);
  const isAll = text === "" && !query.created_only;
  const matching = isAll
    ? all
    : all.filter(
        ({ id, name, description, tags, is_derived: isDerived }) =>
          (!query.created_only || !isDerived) &&
          (id.toLowerCase() === text || search.isIn(name, description, ...tags)),
      );
  const { page, next } = pageOf(matching, placesBy(query.order, text), query);
  const now = ctx.now();
  return {
    projects: page.map((project) => toProject(project, now)),
    next_cursor: next,
    total: matching.length,
    totals,
    team_members: members,
  };
};

function placesBy(
  order: InputOf<typeof calls.listProjects>["order"],
  text: string,
): (project: ProjectEntry) => Place {
  if (order === "activity") return ({ id, latestMs }) => ({ size: latestMs, name: id });
  const search = searchOf(text);
  return ({ id, name }) => ({
    size: Math.max(search.sizeOf(name), id.toLowerCase() === text ? 2 : 0),
    // Several projects may have one name.
    name: `${name}\0${id}`,
  });
}

const getProject: Operation<typeof calls.getProject> = async (ctx, actor, { id }) => ({
  project: await findProject(ctx, actor, id),
});

const getProjectFigures: Operation<typeof calls.projectFigures> = async (
  ctx,
  { orgId },
  { id, ...times },
) => {
  const services = await servicesOfProject(ctx.rows, orgId, id);
  const { heaps, goroutines } = await readGauges(ctx, { orgId, services, times });
  const gauges = services.map(
    (service): ServiceGauges => ({
      service,
      memory_bytes: heaps.get(service) ?? null,
      goroutines: goroutines.get(service) ?? null,
    }),
  );
  return { services: gauges };
};

const getOrganizationFigures: Operation<typeof calls.organizationFigures> = async (ctx, { orgId }, times) => {
  const { heaps, goroutines } = await readGauges(ctx, { orgId, times });
  return { memory_bytes: sumOf(heaps), goroutines: sumOf(goroutines) };
};

function sumOf(means: ReadonlyMap<string, number>): number | null {
  return means.size === 0 ? null : [...means.values()].reduce((sum, mean) => sum + mean, 0);
}

interface GaugesScope {
  readonly orgId: string;
  /** All by default. */
  readonly services?: readonly string[];
  readonly times: InputOf<typeof calls.organizationFigures>;
}

/** Means over the range for each service that has them. Heaps are in bytes. */
async function readGauges(ctx: Context, { times, ...scope }: GaugesScope) {
  const now = ctx.now();
  const { fromMs, toMs } = listedRange(times, now);
  const meansOf = async (type: "memory" | "goroutine") => {
    const cuts = [fromMs / 1000, toMs / 1000];
    const sums = await sumsOfServices(ctx.columns, { ...scope, type, cuts, now });
    return new Map(sums.map(({ service, totals, profiles }) => [service, totals[0]! / profiles[0]!]));
  };
  const [heaps, goroutines] = await Promise.all([meansOf("memory"), meansOf("goroutine")]);
  return { heaps, goroutines };
}

const createProject: Operation<typeof calls.createProject> = async (
  ctx,
  actor,
  { name, description, tags, services },
) => {
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
    services: JSON.stringify(services),
    memberCount: 1,
    createdAt: at,
    updatedAt: at,
  };
  if (!(await insertProject(ctx.rows, project, projectsMax))) {
    ctx.metrics.count(limitRefusals.name, limitRefusals.help, { limit: "projects" });
    throw quotaExceeded(
      `Your organization has reached its limit of ${projectsMax} projects (ORG_PROJECTS_MAX). Delete one first.`,
    );
  }
  ctx.log.info({ projectId: id, orgId: actor.orgId, userId: actor.userId }, "project created");
  return { project: await findProject(ctx, actor, id) };
};

const updateProject: Operation<typeof calls.updateProject> = async (ctx, actor, { id, ...asked }) => {
  const { name, description, status, tags, services } = asked;
  const found = await findProject(ctx, actor, id);
  const { is_derived: isDerived } = found;
  if (isDerived && services !== undefined)
    throw invalid(`The project ${id} belongs to the service of its name: create a project to group services`);
  const isSame = Object.entries(asked).every(
    ([field, value]) => value === undefined || isDeepStrictEqual(value, found[field as keyof Project]),
  );
  if (isSame) return { project: found };
  const { orgId, userId } = actor;
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(status === undefined ? {} : { status }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
    updatedAt: ctx.now().toISOString(),
  };
  if (isDerived) await updateDerivedProject(ctx.rows, { orgId, service: id }, change);
  else {
    const grouped = services === undefined ? {} : { services: JSON.stringify(services) };
    await updateStoredProject(ctx.rows, { orgId, id }, { ...change, ...grouped });
  }
  ctx.log.info({ projectId: id, orgId, userId }, "project changed");
  return { project: await findProject(ctx, actor, id) };
};

const deleteProject: Operation<typeof calls.deleteProject> = async (ctx, actor, { id }) => {
  const { is_derived: isDerived } = await findProject(ctx, actor, id);
  const { orgId, userId } = actor;
  const at = ctx.now().toISOString();
  if (isDerived) await updateDerivedProject(ctx.rows, { orgId, service: id }, { isHidden: 1, updatedAt: at });
  else await removeProject(ctx.rows, orgId, id);
  ctx.log.info({ projectId: id, orgId, userId }, "project deleted");
  return { id };
};

/** Reads the profiles of its own services only. */
async function findProject(ctx: Context, { orgId }: Actor, id: string): Promise<Project> {
  const [created, changed] = await Promise.all([
    storedProjects(ctx.rows, orgId, id),
    derivedProjects(ctx.rows, orgId, id),
  ]);
  const own = created.find((row) => row.id === id);
  const listed = own === undefined ? [id] : namesIn(own.services);
  const services = own !== undefined && listed.length === 0 ? [own.name] : listed;
  const activity = await readActivity(ctx, orgId, services);
  const project = joinProjects(created, changed, activity).find((each) => each.id === id);
  if (project === undefined) throw notFound("Project", id);
  return toProject(project, ctx.now());
}

interface Projects {
  /** The rows that they are made of. */
  readonly state: string;
  readonly all: readonly ProjectEntry[];
  readonly totals: ReplyOf<typeof calls.listProjects>["totals"];
}

/** The last projects with these services. */
const joined = new WeakMap<ServicesTotals["byName"], Projects>();

/** All projects of an organization, with the number of profiles that are still stored. */
async function readProjects(ctx: Context, orgId: string): Promise<Projects> {
  const [created, changed, services] = await Promise.all([
    storedProjects(ctx.rows, orgId),
    derivedProjects(ctx.rows, orgId),
    readActivity(ctx, orgId),
  ]);
  const state = JSON.stringify([orgId, created, changed]);
  const before = joined.get(services);
  if (before?.state === state) return before;
  const all = joinProjects(created, changed, services);
  const totals = {
    projects: all.length,
    active: all.filter(({ status }) => status === "active").length,
    profiles: all.reduce((sum, project) => sum + project.profile_count, 0),
  };
  const projects = { state, all, totals };
  joined.set(services, projects);
  return projects;
}

/** @param services all of them by default */
async function readActivity(
  ctx: Context,
  orgId: string,
  services?: readonly string[],
): Promise<ServicesTotals["byName"]> {
  const now = ctx.now();
  const fromMs = Math.floor(now.getTime() / dayMs - ctx.config.retentionDays) * dayMs;
  // To the end of tomorrow, because clocks of senders may be fast.
  const toMs = (Math.floor(now.getTime() / dayMs) + 2) * dayMs;
  const only = services?.length === 1 ? services[0] : "";
  const { byName } = await totalsOfServices(ctx.columns, { orgId, fromMs, toMs, now }, only);
  if (services === undefined) return byName;
  return new Map(
    services.flatMap((service) => {
      const totals = byName.get(service);
      return totals === undefined ? [] : [[service, totals]];
    }),
  );
}

/** The fields that people can change; tags as a JSON array. */
type ProjectChange = Partial<Pick<ProjectRow, "name" | "description" | "status" | "tags">>;

/** @param id only those with it as id or name */
function storedProjects(rows: RowStore, orgId: string, id?: string): Promise<ProjectRow[]> {
  const all = rows.selectFrom("projects").selectAll().where("orgId", "=", orgId);
  const some = id === undefined ? all : all.where((or) => or.or([or("id", "=", id), or("name", "=", id)]));
  return some.orderBy("createdAt").execute();
}

function derivedProjects(rows: RowStore, orgId: string, service?: string): Promise<DerivedRow[]> {
  const all = rows.selectFrom("derivedProjects").selectAll().where("orgId", "=", orgId);
  return (service === undefined ? all : all.where("service", "=", service)).execute();
}

/** People in the organization, whatever their role. */
function countMembers(rows: RowStore, orgId: string): Promise<number> {
  return countRows(rows.selectFrom("memberships").where("orgId", "=", orgId));
}

/** False if the organization has `projectsMax` projects. */
function insertProject(rows: RowStore, project: ProjectRow, projectsMax: number): Promise<boolean> {
  return lockedTransaction(rows, project.orgId, async (transaction) => {
    const count = await countRows(transaction.selectFrom("projects").where("orgId", "=", project.orgId));
    if (count >= projectsMax) return false;
    await transaction.insertInto("projects").values(project).execute();
    return true;
  });
}

/** False when the organization has no such project. */
function updateStoredProject(
  rows: RowStore,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  change: ProjectChange & Pick<ProjectRow, "updatedAt"> & Partial<Pick<ProjectRow, "services">>,
): Promise<boolean> {
  const update = rows.updateTable("projects").set(change).where("orgId", "=", orgId).where("id", "=", id);
  return changesRow(update);
}

/** False when the organization has no such project. */
function removeProject(rows: RowStore, orgId: string, id: string): Promise<boolean> {
  const removal = rows.deleteFrom("projects").where("orgId", "=", orgId).where("id", "=", id);
  return changesRow(removal);
}

/** Adds to what was changed before on the project of a service. */
async function updateDerivedProject(
  rows: RowStore,
  { orgId, service }: { readonly orgId: string; readonly service: string },
  change: ProjectChange & Partial<Pick<DerivedRow, "isHidden">> & Pick<DerivedRow, "updatedAt">,
): Promise<void> {
  const unchanged = { name: null, description: null, status: null, tags: null, isHidden: 0 as const };
  await rows
    .insertInto("derivedProjects")
    .values({ ...unchanged, ...change, orgId, service })
    .onConflict((conflict) => conflict.columns(["orgId", "service"]).doUpdateSet(change))
    .execute();
}
