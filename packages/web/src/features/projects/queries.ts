import {
  createProject,
  deleteProject,
  listProjects,
  type Project,
  type ReplyOf,
  updateProject,
} from "@flamekeep/contract";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { changeOf, type ProjectDraft, tagsOf } from "./model.ts";

const refreshMs = 10_000;

export const projectsQuery = callQuery(["projects"], listProjects, {}, { refetchInterval: refreshMs });

/** Creates a project, or updates the changed fields of the given one. */
export async function saveProject(
  project: Project | undefined,
  draft: ProjectDraft,
): Promise<ReplyOf<typeof createProject>> {
  if (project === undefined) {
    const { name, description, tags } = draft;
    const body = { name: name.trim(), description: description.trim(), tags: tagsOf(tags) };
    return call(createProject, { body });
  }
  const body = changeOf(project, draft);
  if (Object.keys(body).length === 0) return { project };
  return call(updateProject, { params: { id: project.id }, body });
}

export function removeProject(project: Project): Promise<ReplyOf<typeof deleteProject>> {
  return call(deleteProject, { params: { id: project.id } });
}
