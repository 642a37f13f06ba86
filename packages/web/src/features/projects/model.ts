import { type Project, type ProjectStatus, projectStatuses } from "@flamekeep/contract";

/** State of the dialog's form. */
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

/** The id of a derived project is the name of its service, even after it was renamed. */
export function serviceOf(project: Project): string {
  return project.is_derived ? project.id : project.name;
}

/** Trimmed tags without empty and repeated ones. */
export function tagsOf(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

export function draftOf(project: Project | undefined): ProjectDraft {
  if (project === undefined) return { name: "", description: "", tags: "", status: "active" };
  const { name, description, tags, status } = project;
  return { name, description, tags: tags.join(", "), status };
}

/** Only the changed fields: a derived project follows its service in all fields that were never changed. */
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
