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
    const { organization: id, ...rest } = readOther(address);
    const found = organizations.find((each) => each.id === id);
    // The address may have been made in another organization than that of the session.
    const organization = found?.is_current === true ? undefined : id;
    return { ...rest, address, organization, organizationName: found?.name ?? "another organization" };
  });
  const ownProjects = project.map((id) => ({ id, organization: undefined }));
  const projects = [...ownProjects, ...others.filter(({ kind }) => kind === "project")];
  const replies = useQueries({
    queries: projects.map(({ id, organization }) => projectQuery(id, organization)),
  });
  const projectOf = (id: string) => {
    const { data, error } = replies[projects.findIndex((each) => each.id === id)]!;
    return data?.project ?? (error === null ? undefined : null);
  };
  const sides = [
    ...project.map((id) => sideOfProject(id, projectOf(id))),
    ...service.map((name) => sideOfService(name)),
    ...others.map(({ kind, id, ...place }) => {
      if (kind === "service") return sideOfService(id, place);
      return kind === "project" ? sideOfProject(id, projectOf(id), place) : sideOfOrganization(place);
    }),
  ];
  return sides.slice(0, sidesMax);
}
