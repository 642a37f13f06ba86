import type { Summary } from "@flamekeep/contract";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { serviceExistsQuery } from "#profile-list/queries.ts";
import { namedProjectQuery } from "./queries.ts";

/**
 * An address names a service with data, a project whose service has none, or nothing. Undefined while that is not known; the
 * other calls are made only where the summary of the range is empty.
 */
export function useExistence(
  service: string,
  { data }: UseQueryResult<{ summary: Summary }>,
): "service" | "project" | "nothing" | undefined {
  const isEmpty = data?.summary.total_profiles === 0;
  const { data: isStored } = useQuery({ ...serviceExistsQuery(service), enabled: isEmpty });
  const project = useQuery({ ...namedProjectQuery(service), enabled: isEmpty });
  if (data === undefined) return undefined;
  if (!isEmpty || isStored === true) return "service";
  if (isStored === undefined || !project.isSuccess) return undefined;
  return project.data === undefined ? "nothing" : "project";
}
