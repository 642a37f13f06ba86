import {
  isServiceName,
  limits,
  normalServiceName,
  type Project,
  type ProjectStatus,
  projectStatuses,
} from "@flamekeep/contract";

/** State of the dialog's form. */
export interface ProjectDraft {
  readonly name: string;
  readonly description: string;
  /** Separated by commas. */
  readonly tags: string;
  readonly services: readonly string[];
  readonly status: ProjectStatus;
}

export type ProjectChange = Partial<Pick<Project, "name" | "description" | "status" | "tags" | "services">>;

export const statusLabels: Record<ProjectStatus, string> = {
  active: "Active",
  inactive: "Inactive",
  archived: "Archived",
};

export const statusOptions = projectStatuses.map((value) => ({ value, label: statusLabels[value] }));

/** Trimmed tags without empty and repeated ones. */
export function tagsOf(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

export function draftOf(project: Project | undefined): ProjectDraft {
  if (project === undefined) return { name: "", description: "", tags: "", services: [], status: "active" };
  const { name, description, tags, services, status } = project;
  return { name, description, tags: tags.join(", "), services, status };
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
    ...(draft.services.join() !== project.services.join() && { services: [...draft.services] }),
  };
}

const shownMax = 200;

/** The known services whose name contains the text, then the text itself if a service can have the name; none beyond the limit. */
export function serviceOptions(
  known: readonly string[],
  chosen: readonly string[],
  text: string,
): readonly string[] {
  const wanted = text.trim().toLowerCase();
  const matching = known.filter((name) => name.toLowerCase().includes(wanted));
  const typed = normalServiceName(text);
  const isNew = isServiceName(typed) && !matching.includes(typed);
  const options = [...matching.slice(0, shownMax), ...(isNew ? [typed] : [])];
  return chosen.length < limits.projectServicesMax
    ? options
    : options.filter((option) => chosen.includes(option));
}
