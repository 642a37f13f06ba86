import type { LinkedKind } from "@flamekeep/contract";
import { z } from "zod";
import type { Context } from "#context";
import { query } from "#store/column/query.ts";

const withService = query({
  name: "organizations.with_service",
  sql: `SELECT DISTINCT org_id AS orgId FROM profiles
        WHERE org_id IN {orgIds:Array(UUID)} AND service = {service:String}`,
  params: z.object({ orgIds: z.array(z.uuid()), service: z.string() }),
  row: z.object({ orgId: z.uuid() }),
});

type Search = (ctx: Context, orgIds: readonly string[], id: string) => Promise<readonly string[]>;

/** By the kind of a link: which of the organizations have what it names. */
export const organizationsWith: Readonly<Record<LinkedKind, Search>> = {
  profile: async (ctx, orgIds, id) => {
    const found = await Promise.all(
      orgIds.map(async (orgId) => ({ orgId, profile: await ctx.profiles.find(orgId, id) })),
    );
    return found.flatMap(({ orgId, profile }) => (profile === undefined ? [] : [orgId]));
  },
  service: async ({ columns }, orgIds, service) => {
    const found = await columns.query(withService, { orgIds: [...orgIds], service });
    return found.map(({ orgId }) => orgId);
  },
  incident: async ({ rows }, orgIds, id) => {
    const alerts = rows.selectFrom("alerts").select("orgId").where("orgId", "in", orgIds);
    const found = await alerts.where("incidentId", "=", id).execute();
    return found.map(({ orgId }) => orgId);
  },
};
