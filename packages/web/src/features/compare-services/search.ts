import { limits } from "@flamekeep/contract";
import { rangeSearch } from "#time-range/search.ts";
import { type Reader, several, text, textLike } from "#url/search.ts";

/** More columns than this cannot be read side by side. */
export const sidesMax = 4;

const uuid = "[\\da-f-]{36}";
const otherPattern = new RegExp(`^(${uuid})(?:/(service)/(.+)|/(project)/(${uuid}))?$`, "su");

/** A name that a path can have: `.` and `..` would lead to another call. */
const serviceName: Reader<string> = (value) =>
  typeof value === "string" && value !== "." && value !== ".." && value.isWellFormed()
    ? text({ min: 1, max: limits.serviceNameLengthMax })(value)
    : undefined;

const otherSide: Reader<string> = (value) => {
  const address = textLike(otherPattern)(value);
  if (address === undefined) return undefined;
  const { kind, id } = readOther(address);
  return kind === "service" && serviceName(id) === undefined ? undefined : address;
};

export const compareServicesSearch = {
  ...rangeSearch,
  service: several(serviceName, sidesMax),
  /** Ids of projects that are groups of services; before the services. */
  project: several(textLike(new RegExp(`^${uuid}$`)), sidesMax),
  /** Sides that name their organization, by `otherAddress`; the last ones. */
  other: several(otherSide, sidesMax),
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
  const [, organization = "", service, name = "", , project = ""] = otherPattern.exec(address) ?? [];
  if (service !== undefined) return { organization, kind: "service", id: name };
  if (project !== "") return { organization, kind: "project", id: project };
  return { organization, kind: "organization", id: organization };
}
