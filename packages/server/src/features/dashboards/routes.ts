import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as calls from "@flamekeep/contract";
import { type Dashboard, type DashboardDefinition, type DashboardSummary, limits } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context, UserActor } from "#context";
import { Failure, notFound, quotaExceeded } from "#failure";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { replyTo, type Unchanged } from "#http/reply/reply.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import type { RowStore } from "#store/row/row-store.ts";
import { limitRefusals } from "#telemetry/metrics.ts";
import {
  addVersion,
  countDashboards,
  deleteDashboard,
  findVersion,
  insertDashboard,
  latestVersions,
  type StoredVersion,
  versionsOfDashboard,
} from "./queries.ts";

export function registerDashboards(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listDashboards, listDashboards);
  serve(app, ctx, calls.createDashboard, createDashboard);
  serve(app, ctx, calls.readDashboard, readDashboard);
  serve(app, ctx, calls.saveDashboard, saveDashboard);
  serve(app, ctx, calls.removeDashboard, removeDashboard);
  serve(app, ctx, calls.listDashboardVersions, listVersions);
  serve(app, ctx, calls.restoreDashboard, restoreDashboard);
}

const listDashboards: Operation<typeof calls.listDashboards> = async (ctx, { orgId }) => {
  const latest = await latestVersions(ctx.rows, orgId);
  const dashboards = latest.map(presentSummary);
  return { dashboards: dashboards.sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1)) };
};

const createDashboard: Operation<typeof calls.createDashboard> = async (ctx, { orgId, userId }, body) => {
  const id = randomUUID();
  const version = { orgId, dashboardId: id, version: 1, savedBy: userId, savedAt: ctx.now().toISOString() };
  const isCreated = await lockedTransaction(ctx.rows, orgId, async (rows) => {
    if ((await countDashboards(rows, orgId)) >= limits.dashboardsMax) return false;
    await insertDashboard(rows, { ...version, definition: body });
    return true;
  });
  if (!isCreated) {
    ctx.metrics.count(limitRefusals.name, limitRefusals.help, { limit: "dashboards" });
    throw quotaExceeded(
      `Your organization has reached its limit of ${limits.dashboardsMax} dashboards. Delete one first.`,
    );
  }
  ctx.log.info({ orgId, userId, dashboardId: id }, "dashboard created");
  return presentDashboard(await versionOf(ctx.rows, orgId, id));
};

const readDashboard: Operation<typeof calls.readDashboard> = async (ctx, { orgId }, { id, version }) => {
  return presentDashboard(await versionOf(ctx.rows, orgId, id, version));
};

const saveDashboard: Operation<typeof calls.saveDashboard> = (ctx, actor, { id, version, ...body }) =>
  storeChange(ctx, actor, { id, version }, async () => body);

const restoreDashboard: Operation<typeof calls.restoreDashboard> = (ctx, actor, input) => {
  const { id, version, restored_version: restored } = input;
  return storeChange(ctx, actor, { id, version }, async (rows) => {
    return (await versionOf(rows, actor.orgId, id, restored)).definition;
  });
};

const removeDashboard: Operation<typeof calls.removeDashboard> = async (ctx, { orgId, userId }, { id }) => {
  // Locked, because a save at the same moment would add a version to a dashboard that is gone.
  const { definition } = await lockedTransaction(ctx.rows, orgId, async (rows) => {
    const latest = await versionOf(rows, orgId, id);
    await deleteDashboard(rows, orgId, id);
    return latest;
  });
  ctx.log.info({ orgId, userId, dashboardId: id }, "dashboard deleted");
  return { id, name: definition.name };
};

const listVersions: Operation<typeof calls.listDashboardVersions> = async (ctx, { orgId }, { id }) => {
  const versions = await versionsOfDashboard(ctx.rows, orgId, id);
  if (versions.length === 0) throw notFound("Dashboard", id);
  return { versions: versions.map(presentSaved) };
};

/** Stores a new version if the definition differs. Throws `conflict` if the latest version is not the one that the change began with. */
async function storeChange(
  ctx: Context,
  { orgId, userId }: UserActor,
  { id, version }: { readonly id: string; readonly version: number },
  next: (rows: RowStore) => Promise<DashboardDefinition>,
): Promise<Dashboard | Unchanged<Dashboard>> {
  const savedAt = ctx.now().toISOString();
  const isChanged = await lockedTransaction(ctx.rows, orgId, async (rows) => {
    const latest = await versionOf(rows, orgId, id);
    if (latest.version !== version) throw savedBefore(latest, version);
    const definition = await next(rows);
    if (isDeepStrictEqual(definition, latest.definition)) return false;
    const saved = { orgId, dashboardId: id, version: version + 1, savedBy: userId, savedAt };
    await addVersion(rows, { ...saved, definition });
    return true;
  });
  if (isChanged) ctx.log.info({ orgId, userId, dashboardId: id }, "dashboard saved");
  return replyTo(isChanged, presentDashboard(await versionOf(ctx.rows, orgId, id)));
}

function savedBefore({ savedBy, version: latest }: StoredVersion, version: number): Failure {
  if (version > latest) {
    return new Failure(
      "conflict",
      `The dashboard has no version ${version}: the latest is ${latest}. Read it again, and repeat your change.`,
    );
  }
  return new Failure(
    "conflict",
    `${savedBy ?? "A former member"} saved version ${latest} since you read version ${version}. Read the dashboard again, and repeat your change.`,
  );
}

/** The latest version by default. */
async function versionOf(
  rows: RowStore,
  orgId: string,
  id: string,
  version?: number,
): Promise<StoredVersion> {
  const found = await findVersion(rows, orgId, { id, version });
  if (found !== undefined) return found;
  const exists = version !== undefined && (await findVersion(rows, orgId, { id })) !== undefined;
  throw exists ? notFound(`Version ${version} of the dashboard`) : notFound("Dashboard", id);
}

function presentSaved({ version, savedAt, savedBy }: StoredVersion) {
  return { version, saved_at: savedAt, saved_by: savedBy };
}

function presentDashboard(stored: StoredVersion): Dashboard {
  return { id: stored.id, ...presentSaved(stored), ...stored.definition };
}

function presentSummary(stored: StoredVersion): DashboardSummary {
  const { name, description, panels } = stored.definition;
  return { id: stored.id, name, description, panels: panels.length, ...presentSaved(stored) };
}
