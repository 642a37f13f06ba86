import type { Project, ServiceTrend } from "@flamekeep/contract";
import { sumOfTrends } from "#groups/figures.ts";
import type { ComparedTrend } from "#profile-list/service-order.ts";

/** The last part of the project's address: the id of a group, else the name of its service, which is the id of a derived project. */
export function addressOf(project: Project): string {
  return project.is_derived || project.services.length > 0 ? project.id : project.name;
}

/** The services of a group, or the one of the project. */
export function servicesOf(project: Project): readonly string[] {
  return project.services.length === 0 ? [addressOf(project)] : project.services;
}

/** Health and CPU of the project: of its service, or of all services of a group together. */
export function trendOf(
  project: Project,
  trends: ReadonlyMap<string, ServiceTrend>,
): ComparedTrend | undefined {
  if (project.services.length === 0) return trends.get(addressOf(project));
  const found = project.services.map((service) => trends.get(service)).filter((trend) => trend !== undefined);
  return sumOfTrends(project.name, found);
}
