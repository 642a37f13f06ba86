import { getProject, listProjects, projectFigures, projectRequests } from "@flamekeep/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { allPages, callQuery, dataQuery } from "#api/call-query.ts";
import type { RangeQuery } from "#time-range/view-range.ts";

const refreshMs = 10_000;

/** The beginning of the keys of all lists of projects. */
export const projectsKey: readonly string[] = ["projects"];

/** Cards of a page of projects. */
const pageSize = 48;

/** One page of the projects of the session's organization. */
export function projectsQuery(q: string | undefined, cursor: string | undefined) {
  return callQuery(
    [...projectsKey, "page", q, cursor],
    listProjects,
    { query: { q, cursor, limit: pageSize } },
    { refetchInterval: refreshMs, placeholderData: keepPreviousData },
  );
}

/** All created projects of an organization, by name; of the session's by default. */
export function createdProjectsIn(organization: string | undefined) {
  return dataQuery([...projectsKey, "created", organization], async ({ signal }) => {
    const pages = await allPages((cursor) => {
      const query = { created_only: "true", order: "name", cursor } as const;
      return call(listProjects, { query, organization, signal });
    });
    return pages.flatMap(({ projects }) => projects);
  });
}

/** The key of something about a project that people made. The same id in another organization is another subject. */
function keyOf(id: string, organization: string | undefined): readonly unknown[] {
  return organization === undefined ? ["projects", id] : ["projects", "organization", organization, id];
}

export function projectQuery(id: string, organization?: string) {
  return callQuery(keyOf(id, organization), getProject, { params: { id }, organization });
}

// The last part of each key is the range; the parts before it are the subject.

/** Memory and goroutines of the services of a project. */
export function figuresQuery(id: string, range: RangeQuery, organization?: string) {
  return callQuery(
    [...keyOf(id, organization), "figures", range],
    projectFigures,
    { params: { id }, query: range, organization },
    { placeholderData: keepPreviousData },
  );
}

/** HTTP requests of the services of a project. */
export function requestsQuery(id: string, range: RangeQuery, organization?: string) {
  return callQuery(
    [...keyOf(id, organization), "requests", range],
    projectRequests,
    { params: { id }, query: range, organization },
    { placeholderData: keepPreviousData },
  );
}
