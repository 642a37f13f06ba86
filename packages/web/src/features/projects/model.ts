import { type Project, type ProjectStatus, projectStatuses } from "@flamekeep/contract";

/** What the dialog holds while somebody types. */
export interface ProjectDraft {
  readonly name: string;
  readonly description: string;
  /** Separated by commas. */
  readonly tags: string;
  readonly status: ProjectStatus;
}

export type ProjectChange = Partial<Pick<Project, "name" | "description" | "status" | "tags">>;

export interface ProjectTotals {
  readonly projects: number;
  readonly active: number;
  readonly profiles: number;
  readonly members: number;
}

export function projectTotals(projects: readonly Project[]): ProjectTotals {
  const sum = (of: (project: Project) => number) => projects.reduce((total, each) => total + of(each), 0);
  return {
    projects: projects.length,
    active: sum(({ status }) => (status === "active" ? 1 : 0)),
    profiles: sum((project) => project.profile_count),
    members: sum((project) => project.member_count),
  };
}

/** Case-insensitive, in name, description and tags. */
export function matchingProjects(projects: readonly Project[], term: string): readonly Project[] {
  const wanted = term.trim().toLowerCase();
  return projects.filter(({ name, description, tags }) =>
    [name, description, ...tags].some((text) => text.toLowerCase().includes(wanted)),
  );
}

/** A derived project keeps its service's name as its id, whatever it was renamed to. */
export function serviceOf(project: Project): string {
  return project.is_derived ? project.id : project.name;
}

/** Trimmed, empty and repeated entries dropped. */
export function tagsOf(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

export function draftOf(project: Project | undefined): ProjectDraft {
  if (project === undefined) return { name: "", description: "", tags: "", status: "active" };
  const { name, description, tags, status } = project;
  return { name, description, tags: tags.join(", "), status };
}

/** Only what differs: a derived project follows its service in everything that was never changed. */
export function changeOf(project: Project, draft: ProjectDraft): ProjectChange {
  const name = draft.name.trim();
  const description = draft.description.trim();
  const tags = tagsOf(draft.tags);
  return {
    ...(name !== project.name && { name }),
    ...(description !== project.description && { description }),
    ...(draft.status !== project.status && { status: draft.status }),
    ...(tags.join(",") !== project.tags.join(",") && { tags }),
  };
}

export const statusLabels: Record<ProjectStatus, string> = {
  active: "Active",
  inactive: "Inactive",
  archived: "Archived",
};

export const statusOptions = projectStatuses.map((value) => ({ value, label: statusLabels[value] }));
