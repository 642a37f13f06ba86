import { type Endpoint, type Ignored, ingestProfile, limits, readableLine } from "@flamekeep/contract";
import { parameters, type Query } from "#ingest/endpoints/upload.ts";
import { closestName } from "./closest-name.ts";

/** What an endpoint takes in its URL. */
export interface TakenParameters {
  readonly names: readonly string[];
  /** `tag.NAME=value`. */
  readonly takesTags: boolean;
}

export function takenParameters(endpoint: Pick<Endpoint, "query" | "path">): TakenParameters {
  const names = Object.keys((endpoint.query as { shape?: object }).shape ?? {});
  return { names, takesTags: endpoint.path === ingestProfile.path };
}

/** Other words for a parameter: what Pyroscope and other servers call it, and what people try. */
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

/** The parameters that an upload was sent with and that mean nothing to the endpoint, with what was probably meant. */
export function ignoredParameters(query: Query, taken: TakenParameters): Ignored {
  const ignored: Ignored = [];
  for (const name in query) {
    if (isTaken(name, taken)) continue;
    const parameter = shortened(name);
    ignored.push({ parameter, hint: hintFor(parameter, taken) });
    if (ignored.length === limits.ignoredParametersMax) break;
  }
  return ignored;
}

function isTaken(name: string, { names, takesTags }: TakenParameters): boolean {
  return names.includes(name) || (takesTags && /^tag\../.test(name));
}

const misspeltMax = 3;

/** For a refusal: which parameters that mean nothing to the endpoint are probably one that was not given; empty where none is. */
export function misspeltParameters(query: Query, taken: TakenParameters): string {
  const sentences: string[] = [];
  for (const name in query) {
    if (isTaken(name, taken)) continue;
    const parameter = shortened(name);
    const meant = closestName(parameter, taken.names, synonyms);
    if (meant === undefined || Object.hasOwn(query, meant)) continue;
    sentences.push(`The URL has ${parameter}: did you mean ${meant}?`);
    if (sentences.length === misspeltMax) break;
  }
  return sentences.join(" ");
}

/** Why a query is refused that gives a parameter with one value several times; undefined where it does not. */
export function repeatedParameter(query: Query, { names }: TakenParameters): string | undefined {
  const name = names.find((each) => parameters(query, each).length > 1);
  if (name === undefined) return undefined;
  return `${name} is given ${parameters(query, name).length} times in the URL: keep one`;
}

function shortened(name: string): string {
  return readableLine(name.slice(0, limits.ignoredNameLengthMax));
}

function hintFor(name: string, { names, takesTags }: TakenParameters): string | null {
  const tag = /^(?:tag|label)s?(?:[._:\-[](.*?)\]?)?$/i.exec(name);
  if (tag !== null) {
    if (!takesTags) return "HTTP metrics have no tags.";
    return tag[1] ? `Did you mean tag.${tag[1]}?` : "Name the tag: tag.NAME=value.";
  }
  const meant = closestName(name, names, synonyms);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return takesTags ? `Send tag.${name} to add a tag.` : null;
}
