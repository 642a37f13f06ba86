import { limits } from "@flamekeep/contract";
import { rangeSearch } from "#time-range/search.ts";
import { several, text, textLike } from "#url/search.ts";

/** More columns than this cannot be read side by side. */
export const sidesMax = 4;

const otherPattern = /^([\da-f-]{36})(?:\/(service|project)\/(.+))?$/su;

export const compareServicesSearch = {
  ...rangeSearch,
  service: several(text({ min: 1, max: limits.serviceNameLengthMax }), sidesMax),
  /** Ids of projects that are groups of services; before the services. */
  project: several(textLike(/^[\da-f-]{36}$/), sidesMax),
  /** Sides that name their organization, by `otherAddress`; the last ones. */
  other: several(textLike(otherPattern), sidesMax),
};

/** A service or a project of an organization, or all services of it. */
export interface OtherSide {
  /** An id. */
  readonly organization: string;
  readonly kind: "service" | "project" | "organization";
  /** The name of the service, or the id of the project or organization. */
  readonly id: string;
}

export function otherAddress({ organization, kind, id }: OtherSide): string {
  return kind === "organization" ? organization : `${organization}/${kind}/${id}`;
}

/** The inverse of `otherAddress`, for a text that the search parameter accepts. */
export function readOther(address: string): OtherSide {
  const [, organization = "", kind, id = ""] = otherPattern.exec(address) ?? [];
  if (kind === undefined) return { organization, kind: "organization", id: organization };
  return { organization, kind: kind as "service" | "project", id };
}
