import { type Endpoint, type Ignored, ingestProfile, limits, openProfileFile } from "@flamekeep/contract";
import { parameters, type Query } from "#ingest/upload/upload.ts";
import { closestName, quotableName } from "./closest-name.ts";

/** The parameters that an endpoint reads. */
export interface AcceptedParameters {
  readonly names: readonly string[];
  /** `tag.NAME=value`. */
  readonly acceptsTags: boolean;
}

const taggedPaths: readonly string[] = [ingestProfile.path, openProfileFile.path];

export function acceptedParameters(endpoint: Pick<Endpoint, "query" | "path">): AcceptedParameters {
  const names = Object.keys((endpoint.query as { shape?: object }).shape ?? {});
  return { names, acceptsTags: taggedPaths.includes(endpoint.path) };
}

/** Other names for a parameter, as Pyroscope and other servers have them or people guess. */
const synonyms: Readonly<Record<string, string>> = {
  from: "started_at",
  start: "started_at",
  time: "started_at",
  timestamp: "started_at",
  profiletype: "type",
  kind: "type",
  app: "service",
  name: "service",
  servicename: "service",
};

/** The parameters of an upload that the endpoint does not read, each with the one that was probably meant. */
export function ignoredParameters(query: Query, accepted: AcceptedParameters): Ignored {
  const ignored: Ignored = [];
  for (const name in query) {
    if (isAccepted(name, accepted)) continue;
    const parameter = quotableName(name);
    ignored.push({ parameter, hint: hintFor(parameter, accepted) });
    if (ignored.length === limits.ignoredParametersMax) break;
  }
  return ignored;
}

function isAccepted(name: string, { names, acceptsTags }: AcceptedParameters): boolean {
  return names.includes(name) || (acceptsTags && /^tag\../.test(name));
}

const misspeltMax = 3;

/** For a refusal: sentences about unread parameters that are probably misspelt ones; empty where there are none. */
export function misspeltParameters(query: Query, accepted: AcceptedParameters): string {
  const sentences: string[] = [];
  for (const name in query) {
    if (isAccepted(name, accepted)) continue;
    const parameter = quotableName(name);
    const meant = closestName(parameter, accepted.names, synonyms);
    if (meant === undefined || Object.hasOwn(query, meant)) continue;
    sentences.push(`The URL has ${parameter}: did you mean ${meant}?`);
    if (sentences.length === misspeltMax) break;
  }
  return sentences.join(" ");
}

/** Why a query that repeats a parameter is refused; undefined where it repeats none. */
export function repeatedParameter(query: Query, { names }: AcceptedParameters): string | undefined {
  const name = names.find((each) => parameters(query, each).length > 1);
  if (name === undefined) return undefined;
  return `${name} is given ${parameters(query, name).length} times in the URL: keep one`;
}

/** A word in a name after which the value is a secret. */
const secretWords =
  /(^|[^a-z])(api[^a-z]?)?(key|token|secret|password|passwd|pwd|credentials?|auth|authorization|bearer)s?($|[^a-z])/;

function mayBeSecret(name: string): boolean {
  return secretWords.test(name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase());
}

function hintFor(name: string, { names, acceptsTags }: AcceptedParameters): string | null {
  // The value of a tag is stored, and everybody in the organization reads it.
  if (mayBeSecret(name)) return "Send keys in the header X-API-Key, never in the URL.";
  const tag = /^(?:tag|label)s?(?:[._:\-[](.*?)\]?)?$/i.exec(name);
  if (tag !== null) {
    if (!acceptsTags) return "HTTP metrics have no tags.";
    return tag[1] ? `Did you mean tag.${tag[1]}?` : "Name the tag: tag.NAME=value.";
  }
  const meant = closestName(name, names, synonyms);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return acceptsTags ? `Send tag.${name} to add a tag.` : null;
}
