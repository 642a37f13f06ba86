import type { LinkedKind } from "@flamekeep/contract";
import { limits } from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { servicesByType } from "#store/profiles/service-totals.ts";

/** Whether an organization has the thing that a link names, by kind. Each asks one organization. */
export const has: Readonly<
  Record<LinkedKind, (ctx: Context, orgId: string, id: string) => Promise<boolean>>
> = {
  profile: async (ctx, orgId, id) => (await ctx.profiles.find(orgId, id)) !== undefined,
  service: hasService,
  incident: async ({ rows }, orgId, id) => {
    const found = await rows
      .selectFrom("alerts")
      .select("id")
      .where("orgId", "=", orgId)
      .where("incidentId", "=", id)
      .executeTakeFirst();
    return found !== undefined;
  },
};

async function hasService(ctx: Context, orgId: string, service: string): Promise<boolean> {
  // An empty name would be that of all services.
  if (service === "") return false;
  const now = ctx.now();
  const toMs = Math.floor(now.getTime() / minuteMs) * minuteMs + dayMs;
  const range = { orgId, fromMs: toMs - limits.sinceDaysMax * dayMs, toMs, now };
  return (await servicesByType(ctx.columns, range, service)).length > 0;
}
