import type {
  LimitName,
  LimitsChange,
  LimitsInUse,
  OwnLimits,
  StoredStoragePrice,
} from "@flamekeep/contract";
import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { Failure, invalid, notFound } from "#failure";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { readOwnLimits } from "#store/row/organization-limits.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import type { RowStore } from "#store/row/row-store.ts";
import { runSteps, type Step } from "#store/row/steps.ts";
import { type LimitsContext, readLimitsInUse } from "./limits-in-use.ts";

export function registerLimits(app: FastifyInstance, ctx: LimitsContext): void {
  serve(app, ctx, calls.getOrganizationLimits, async (_ctx, { orgId }) => ({
    limits: await limitsOfOrganization(ctx, orgId),
  }));
  serve(app, ctx, calls.setOrganizationLimits, setOrganizationLimits);
  serve(app, ctx, calls.setStoragePrice, setStoragePrice);
}

async function limitsOfOrganization(ctx: LimitsContext, orgId: string): Promise<LimitsInUse> {
  const [organization, ownLimits] = await Promise.all([
    findOrganization(ctx.rows, orgId),
    readOwnLimits(ctx.rows, orgId),
  ]);
  const limits = await readLimitsInUse(ctx, [{ ...organization, ownLimits }]);
  return limits.get(orgId)!;
}

/** Organizations that are being deleted are not found. */
async function findOrganization(rows: RowStore, id: string) {
  const found = await rows
    .selectFrom("organizations")
    .select(["id", "retentionDays", "isDemo"])
    .where("id", "=", id)
    .where("suspendedAt", "is", null)
    .executeTakeFirst();
  if (found === undefined) throw notFound("Organization", id);
  return found;
}

const setOrganizationLimits: Operation<typeof calls.setOrganizationLimits, LimitsContext> = async (
  ctx,
  actor,
  { id, ...given },
) => {
  const changes = await lockedTransaction(ctx.rows, id, async (rows) => {
    const { isDemo } = await findOrganization(rows, id);
    const before = await readOwnLimits(rows, id);
    const changed = changesOf(before, given);
    for (const name of changed)
      refuseChange(ctx, { orgId: id, isDemo: isDemo === 1 }, name, given[name] ?? null);
    if (changed.length === 0) return [];
    const audited = {
      event: "organization.limits_changed",
      actor: { kind: "user", id: actor.userId },
      target: changed.map((name) => changeText(name, before[name], given[name])).join("; "),
    } as const;
    const statements = changed.map((name) => statementOf(rows, { orgId: id, name }, given[name] ?? null));
    await runSteps(rows, [...statements, ctx.audit.step(id, audited)]);
    return changed;
  });
  if (changes.length > 0) {
    ctx.keys.forgetOrganization(id);
    ctx.log.warn({ orgId: id, operatorId: actor.userId, changes: given }, "the operator changed limits");
  }
  return { limits: await limitsOfOrganization(ctx, id) };
};

/** The limits of the request that differ from the present ones. */
function changesOf(before: OwnLimits, given: LimitsChange): LimitName[] {
  return calls.limitNames.filter(
    (name) => given[name] !== undefined && given[name] !== (before[name] ?? null),
  );
}

interface Limited {
  readonly orgId: string;
  readonly isDemo: boolean;
}

function refuseChange(
  { config }: Context,
  { orgId, isDemo }: Limited,
  name: LimitName,
  value: number | null,
): void {
  if (config.limitsFile.organizations.get(orgId)?.[name] !== undefined) {
    throw new Failure(
      "conflict",
      `The limit ${name} of this organization is from LIMITS_FILE. Change it there and restart the server.`,
    );
  }
  if (value === null) return;
  if (isDemo && !calls.demoLimitNames.includes(name))
    throw invalid(`Field '${name}' ${calls.demoLimitsText}`);
  if (name === "retention_days" && value > config.retentionDays) {
    throw invalid(
      `Field 'retention_days' must be at most ${config.retentionDays}, the retention of this server (RETENTION_DAYS)`,
    );
  }
}

function changeText(name: LimitName, before: number | undefined, after: number | null | undefined): string {
  const text = (value: number | null | undefined) => value ?? "the server's default";
  return `${name}: ${text(after)} (before: ${text(before)})`;
}

function statementOf(
  rows: RowStore,
  { orgId, name }: { readonly orgId: string; readonly name: LimitName },
  value: number | null,
): Step {
  if (value === null) {
    const removal = rows.deleteFrom("organizationLimits").where("orgId", "=", orgId).where("name", "=", name);
    return { statement: removal };
  }
  const statement = rows
    .insertInto("organizationLimits")
    .values({ orgId, name, value })
    .onConflict((conflict) => conflict.columns(["orgId", "name"]).doUpdateSet({ value }));
  return { statement };
}

const setStoragePrice: Operation<typeof calls.setStoragePrice, LimitsContext> = async (
  ctx,
  actor,
  { storage_price: price },
) => {
  if (ctx.config.limitsFile.storagePrice !== undefined) {
    throw new Failure(
      "conflict",
      "The price of storage is from LIMITS_FILE. Change it there and restart the server.",
    );
  }
  if (price === null) await ctx.rows.deleteFrom("storagePrice").execute();
  else {
    const row = { perGbMonth: price.per_gb_month, currency: price.currency };
    await ctx.rows
      .insertInto("storagePrice")
      .values({ slot: "first", ...row })
      .onConflict((conflict) => conflict.column("slot").doUpdateSet(row))
      .execute();
  }
  ctx.log.info({ operatorId: actor.userId, price }, "the operator set the price of storage");
  return { storage_price: await readStoragePrice(ctx) };
};

export async function readStoragePrice({ config, rows }: Context): Promise<StoredStoragePrice> {
  const { storagePrice: ofFile } = config.limitsFile;
  if (ofFile !== undefined) return { ...ofFile, source: "file" };
  const row = await rows.selectFrom("storagePrice").select(["perGbMonth", "currency"]).executeTakeFirst();
  return row === undefined
    ? null
    : { per_gb_month: row.perGbMonth, currency: row.currency, source: "operator" };
}

/** The cost of a month; null without a price. */
export function storageCost(bytes: number, price: StoredStoragePrice): number | null {
  return price === null ? null : (bytes / calls.bytesOfGigabyte) * price.per_gb_month;
}
