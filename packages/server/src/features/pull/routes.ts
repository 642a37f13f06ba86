import { randomUUID, X509Certificate } from "node:crypto";
import * as calls from "@flamekeep/contract";
import { type GivenTarget, limits } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { invalid, notFound, quotaExceeded } from "#failure";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { limitRefusals } from "#telemetry/metrics.ts";
import { openReach } from "./connect/reach.ts";
import { registerPullJob } from "./job.ts";
import { presentTarget } from "./present.ts";
import {
  deleteTarget,
  findTarget,
  insertTarget,
  noState,
  type StoredTarget,
  storeTarget,
  targetsOf,
} from "./queries.ts";
import type { Intake } from "./scrape.ts";
import { type Before, sealHeaders } from "./secret-headers.ts";
import { testDefinition } from "./test-definition.ts";

/** Tests of targets that a person may start a minute: each connects to addresses that they chose. */
const testsPerMinute = 20;

/** @param intake stores what is pulled as uploads of senders */
export function registerPull(app: FastifyInstance, ctx: Context, intake: Intake): void {
  serve(app, ctx, calls.listTargets, listTargets);
  serve(app, ctx, calls.createTarget, createTarget);
  serve(app, ctx, calls.updateTarget, updateTarget);
  serve(app, ctx, calls.removeTarget, removeTarget);
  serve(app, ctx, calls.testTarget, testTarget, {
    rate: perMinute(app, "trials of targets", testsPerMinute),
  });
  if (ctx.config.pull.isOn) registerPullJob(app, ctx, intake);
}

const listTargets: Operation<typeof calls.listTargets> = async ({ rows, config }, { orgId }) => {
  const targets = (await targetsOf(rows, orgId)).map(({ state, ...target }) => presentTarget(target, state));
  return {
    is_on: config.pull.isOn,
    targets: targets.sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1)),
    targets_max: limits.targetsMax,
  };
};

const createTarget: Operation<typeof calls.createTarget> = async (ctx, { orgId, userId }, given) => {
  const target = toStored(ctx, given, { orgId, id: randomUUID(), headers: {} });
  if (!(await insertTarget(ctx.rows, target))) {
    ctx.metrics.count(limitRefusals.name, limitRefusals.help, { limit: "targets" });
    throw quotaExceeded(
      `Your organization has reached its limit of ${limits.targetsMax} targets. Delete one first, or let one target find many processes by DNS or a list.`,
    );
  }
  ctx.log.info({ orgId, userId, targetId: target.id }, "target created");
  return { target: presentTarget(target, noState) };
};

const updateTarget: Operation<typeof calls.updateTarget> = async (
  ctx,
  { orgId, userId },
  { id, ...given },
) => {
  const before = await existing(ctx, orgId, id);
  const target = toStored(ctx, given, before);
  if (!(await storeTarget(ctx.rows, target))) throw notFound("Target", id);
  ctx.log.info({ orgId, userId, targetId: id }, "target changed");
  return { target: presentTarget(target, noState) };
};

const removeTarget: Operation<typeof calls.removeTarget> = async (ctx, { orgId, userId }, { id }) => {
  const { definition } = await existing(ctx, orgId, id);
  await deleteTarget(ctx.rows, orgId, id);
  ctx.log.info({ orgId, userId, targetId: id }, "target deleted");
  return { id, name: definition.name };
};

const testTarget: Operation<typeof calls.testTarget> = async (ctx, { orgId }, { id, ...given }) => {
  const before = id === null ? { orgId, id: randomUUID(), headers: {} } : await existing(ctx, orgId, id);
  return testDefinition(ctx, toStored(ctx, given, before));
};

async function existing(ctx: Context, orgId: string, id: string): Promise<StoredTarget> {
  const found = await findTarget(ctx.rows, orgId, id);
  if (found === undefined) throw notFound("Target", id);
  return found;
}

/** Refuses at once what could never be pulled: an address that is not allowed. */
function toStored(ctx: Context, given: GivenTarget, before: Before): StoredTarget {
  const { headers: _headers, ...definition } = given;
  const { source } = definition;
  if (source.kind === "url" || source.kind === "http") {
    const refusal = openReach(ctx.config.pull).refusalOf(new URL(source.url).hostname);
    if (refusal !== undefined) throw invalid(`url cannot be used: ${refusal}`);
  }
  checkCa(definition.tls.ca);
  const { orgId, id } = before;
  return {
    orgId,
    id,
    definition,
    headers: sealHeaders(ctx.seal, given, before),
    changedAt: ctx.now().toISOString(),
  };
}

/** A connection would pass over text that is no certificate, and then trust no process. */
function checkCa(ca: string): void {
  if (ca === "") return;
  const blocks = ca.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  try {
    if (blocks === null) throw new Error("it has none");
    for (const block of blocks) new X509Certificate(block);
  } catch (error) {
    throw invalid(`tls.ca must be certificates in PEM: ${(error as Error).message}`);
  }
}
