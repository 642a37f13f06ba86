import type { Project } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { servicesByType } from "#store/profiles/service-totals.ts";
import { joinProjects, type ServiceActivity } from "./join-projects.ts";
import { derivedOf, projectsOf } from "./queries.ts";

/** All projects of an organization; counts span what is kept. */
export async function allProjects(ctx: Context, orgId: string): Promise<Project[]> {
  const now = ctx.now();
  const sinceMs = Math.floor(now.getTime() / dayMs - ctx.config.retentionDays) * dayMs;
  const [made, changed, rows] = await Promise.all([
    projectsOf(ctx.rows, orgId),
    derivedOf(ctx.rows, orgId),
    servicesByType(ctx.columns, { orgId, sinceMs, now }),
  ]);
  const services = new Map<string, ServiceActivity>();
  for (const { service, profiles, latest } of rows) {
    const before = services.get(service) ?? { service, profiles: 0, latest };
    services.set(service, {
      service,
      profiles: before.profiles + profiles,
      latest: new Date(Math.max(latest.getTime(), before.latest.getTime())),
    });
  }
  return joinProjects(made, changed, [...services.values()], now);
}
