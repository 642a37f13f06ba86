import { getProject, listProjects, projectFigures, projectRequests } from "@flamekeep/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { callQuery } from "#api/call-query.ts";
import type { RangeQuery } from "#time-range/view-range.ts";

const refreshMs = 10_000;

/** All projects of the organization. */
export const projectsQuery = callQuery(["projects"], listProjects, {}, { refetchInterval: refreshMs });

/** A project that people made, by its id. */
export function projectQuery(id: string) {
  return callQuery(["projects", id], getProject, { params: { id } });
}

// The last part of each key is the range; the parts before it are the subject.

/** Memory and goroutines of the services of a project. */
export function figuresQuery(id: string, range: RangeQuery) {
  return callQuery(
    ["projects", id, "figures", range],
    projectFigures,
    { params: { id }, query: range },
    { placeholderData: keepPreviousData },
  );
}

/** HTTP requests of the services of a project. */
export function requestsQuery(id: string, range: RangeQuery) {
  return callQuery(
    ["projects", id, "requests", range],
    projectRequests,
    { params: { id }, query: range },
    { placeholderData: keepPreviousData },
  );
}
