import type { Project, ServiceTrend } from "@flamekeep/contract";
import { sumOfTrends } from "#groups/figures.ts";
import type { ComparedTrend } from "#profile-list/service-order.ts";

export interface ProjectTotals {
  readonly projects: number;
  readonly active: number;
  readonly profiles: number;
}

export function projectTotals(projects: readonly Project[]): ProjectTotals {
  const sum = (of: (project: Project) => number) => projects.reduce((total, each) => total + of(each), 0);
  return {
    projects: projects.length,
    active: sum(({ status }) => (status === "active" ? 1 : 0)),
    profiles: sum((project) => project.profile_count),
  };
}

/** Searches name, description and tags, ignoring case. */
export function matchingProjects(projects: readonly Project[], term: string): readonly Project[] {
  const wanted = term.trim().toLowerCase();
  return projects.filter(({ name, description, tags }) =>
    [name, description, ...tags].some((text) => text.toLowerCase().includes(wanted)),
  );
}

/** The last part of the project's address: the id of a group, else the name of its service, which is the id of a derived project. */
export function addressOf(project: Project): string {
  return project.is_derived || project.services.length > 0 ? project.id : project.name;
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
