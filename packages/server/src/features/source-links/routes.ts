import * as calls from "@flamekeep/contract";
import { limits } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { unprocessable } from "#failure";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { replyTo } from "#http/reply/reply.ts";
import { changesRow, countRows } from "#store/row/row-store.ts";

export function registerSourceLinks(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listSourceLinks, listSourceLinks);
  serve(app, ctx, calls.updateSourceLink, updateSourceLink);
  serve(app, ctx, calls.removeSourceLink, removeSourceLink);
}

const listSourceLinks: Operation<typeof calls.listSourceLinks> = async (ctx, { orgId }) => {
  const links = await ctx.rows
    .selectFrom("sourceLinks")
    .select(["service", "urlPattern", "pathPrefix"])
    .where("orgId", "=", orgId)
    .orderBy("service")
    .execute();
  return {
    source_links: links.map(({ service, urlPattern, pathPrefix }) => ({
      service,
      url_pattern: urlPattern,
      path_prefix: pathPrefix,
    })),
  };
};

const updateSourceLink: Operation<typeof calls.updateSourceLink> = async (
  ctx,
  actor,
  { service, ...link },
) => {
  const { orgId, userId } = actor;
  await refuseMoreThanMax(ctx, orgId, service);
  const values = {
    urlPattern: link.url_pattern,
    pathPrefix: link.path_prefix,
    updatedAt: ctx.now().toISOString(),
  };
  const isChanged = await changesRow(
    ctx.rows
      .insertInto("sourceLinks")
      .values({ orgId, service, ...values })
      .onConflict((conflict) =>
        conflict
          .columns(["orgId", "service"])
          .doUpdateSet(values)
          .where(({ or, eb }) =>
            or([
              eb("sourceLinks.urlPattern", "!=", values.urlPattern),
              eb("sourceLinks.pathPrefix", "!=", values.pathPrefix),
            ]),
          ),
      ),
  );
  if (isChanged) ctx.log.info({ orgId, userId, service }, "source link changed");
  return replyTo(isChanged, { service, ...link });
};

/** Throws `unprocessable` if the organization has as many links as it may have, for other services than this one. */
async function refuseMoreThanMax(ctx: Context, orgId: string, service: string): Promise<void> {
  const others = await countRows(
    ctx.rows.selectFrom("sourceLinks").where("orgId", "=", orgId).where("service", "!=", service),
  );
  if (Number(others) < limits.sourceLinksMax) return;
  throw unprocessable(
    `Your organization has reached its limit of ${limits.sourceLinksMax} source links. Remove one of another service first.`,
  );
}

const removeSourceLink: Operation<typeof calls.removeSourceLink> = async (ctx, actor, { service }) => {
  const { orgId, userId } = actor;
  const removal = ctx.rows
    .deleteFrom("sourceLinks")
    .where("orgId", "=", orgId)
    .where("service", "=", service);
  const isChanged = await changesRow(removal);
  if (isChanged) ctx.log.info({ orgId, userId, service }, "source link removed");
  return replyTo(isChanged, { service });
};
