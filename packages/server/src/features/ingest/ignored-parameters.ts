import { type Endpoint, type Ignored, ingestProfile, limits, readableLine } from "@flamekeep/contract";
import type { Query } from "./upload.ts";

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
    if (taken.names.includes(name) || (taken.takesTags && /^tag\../.test(name))) continue;
    const parameter = shortened(name);
    ignored.push({ parameter, hint: hintFor(parameter, taken) });
    if (ignored.length === limits.ignoredParametersMax) break;
  }
  return ignored;
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
  const meant = closest(name, names);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return takesTags ? `Send tag.${name} to add a tag.` : null;
}

/** The parameter that differs from `name` by case, separators or a slip or two of the finger; undefined where none does. */
function closest(name: string, names: readonly string[]): string | undefined {
  const plain = plainName(name);
  const synonym = synonyms[plain];
  if (synonym !== undefined && names.includes(synonym)) return synonym;
  const near = names
    .map((known) => ({ known, distance: editDistance(plain, plainName(known)), length: known.length }))
    .filter(({ distance, length }) => distance <= (length < 6 ? 1 : 2))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.known;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Letters to insert, remove or replace (Levenshtein). Both texts are short: see `shortened`. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + Number(a[i - 1] !== b[j - 1]);
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1));
    }
    above = row;
  }
  return above[b.length]!;
}
