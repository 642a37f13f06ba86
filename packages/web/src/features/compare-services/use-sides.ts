import { useQueries, useQuery } from "@tanstack/react-query";
import { projectQuery } from "#groups/queries.ts";
import { organizationsQuery } from "#layout/organizations-query.ts";
import { useSession } from "#session/session.ts";
import { type Side, sideOfOrganization, sideOfProject, sideOfService } from "./model.ts";
import { readOther, sidesMax } from "./search.ts";

/** The sides of an address, by its parameters. */
export interface SidesSearch {
  readonly service?: readonly string[] | undefined;
  readonly project?: readonly string[] | undefined;
  readonly other?: readonly string[] | undefined;
}

/** The organizations of the person; none until read, and for visitors of the demo. */
export function useOrganizations() {
  const session = useSession();
  const isSignedIn = session.status === "authenticated" && !session.isDemo;
  return useQuery({ ...organizationsQuery, enabled: isSignedIn }).data?.organizations ?? [];
}

/** Projects first, then services, then those of other organizations. Four at most: an address may name four of each. */
export function useSides({ project = [], service = [], other = [] }: SidesSearch): readonly Side[] {
  const organizations = useOrganizations();
  const others = other.map((address) => {
    const side = readOther(address);
    const found = organizations.find(({ id }) => id === side.organization);
    return {
      ...side,
      address,
      organizationName: found?.name ?? "another organization",
      // The address may have been made in another organization than that of the session.
      isCurrent: found?.is_current ?? false,
    };
  });
  const ownProjects = project.map((id) => ({ id, organization: undefined }));
  const otherProjects = others.filter(({ kind }) => kind === "project");
  const replies = useQueries({
    queries: [...ownProjects, ...otherProjects].map(({ id, organization }) => projectQuery(id, organization)),
  });
  const projectAt = (at: number) => {
    const { data, error } = replies[at]!;
    return data?.project ?? (error === null ? undefined : null);
  };
  const sides = [
    ...project.map((id, at) => sideOfProject(id, projectAt(at))),
    ...service.map((name) => sideOfService(name)),
    ...others.map((side) => {
      if (side.kind === "service") return sideOfService(side.id, side);
      if (side.kind === "organization") return sideOfOrganization(side);
      return sideOfProject(side.id, projectAt(project.length + otherProjects.indexOf(side)), side);
    }),
  ];
  return sides.slice(0, sidesMax);
}
