import { isServiceName, limits, normalServiceName, readableLine } from "@flamekeep/contract";
import { commonLabels } from "@flamekeep/profile";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import { instanceTags, versionTags } from "#store/profiles/tag-names.ts";

export interface TagLimits {
  readonly tags: number;
  readonly nameLength: number;
  readonly valueLength: number;
}

/** For each profile. */
export const tagLimits: TagLimits = { tags: limits.profileTagsMax, nameLength: 200, valueLength: 1024 };

export interface CleanTags {
  readonly tags: ReadonlyMap<string, string>;
  /** Counts of removed tags, and of names and values that were shortened or had characters replaced. */
  readonly trimmed: { readonly tags: number; readonly tag_text: number };
  /** Names of removed tags, the most important first, at most `droppedNamesMax`; tags without a name are only counted. */
  readonly dropped: readonly string[];
}

/** With a name of at most `nameLength` each, they take less than the tags that are stored. */
const droppedNamesMax = 40;

/** Tags that are kept first where a profile has too many: the app finds services, instances, releases and places by them. */
const keptFirst = new Map(
  ["version", "service", "instance", "region", "env", "namespace", "pod", ...versionTags, ...instanceTags]
    .toReversed()
    .map((name, rank) => [name, rank]),
);

/** Changes whenever an SDK is started, also within one process. */
export const sessionLabel = "__session_id__";

/**
 * Labels that SDKs add by themselves and nobody needs: one Go program sends under two scopes and a session id, which would split
 * one series into many. Their removal is not reported, because it would be with every upload.
 */
const addedBySender = /^(?:otel\.scope\.|__session_id__$)/;
/** Prometheus and Pyroscope reserve such names. */
const reserved = /^__/;

/** SDKs of every language send the version of their runtime under one name. */
function storedName(name: string, value: string): string {
  return name === "process.runtime.version" && /^go\d/.test(value) ? "go_version" : name;
}

/** Tags as stored: sorted by name, within the limits, without those that say nothing about the service. */
export function cleanTags(
  labels: Iterable<readonly [string, string]>,
  limits: TagLimits = tagLimits,
): CleanTags {
  const clean = new Map<string, string>();
  const dropped = new Set<string>();
  let left = 0;
  let changed = 0;
  for (const [name, value] of labels) {
    if (addedBySender.test(name)) continue;
    const cleanName = cleanText(storedName(name, value), limits.nameLength);
    const cleanValue = cleanText(value, limits.valueLength);
    if (reserved.test(name) || cleanName.text === "" || cleanValue.text === "") {
      left++;
      if (cleanName.text !== "") dropped.add(cleanName.text);
      continue;
    }
    changed += Number(cleanName.isChanged) + Number(cleanValue.isChanged);
    const before = clean.get(cleanName.text);
    if (before !== undefined && before !== cleanValue.text) left++;
    clean.set(cleanName.text, cleanValue.text);
  }
  const names = [...clean.keys()].sort(byImportance);
  const kept = names.slice(0, limits.tags).sort();
  const beyond = names.slice(limits.tags);
  const tags = new Map(kept.map((name) => [name, clean.get(name)!]));
  const named = new Set([...dropped, ...beyond]);
  return {
    tags,
    trimmed: { tags: left + beyond.length, tag_text: changed },
    // A tag that was also sent with a value is stored.
    dropped: [...named]
      .filter((name) => !tags.has(name))
      .sort(byImportance)
      .slice(0, droppedNamesMax),
  };
}

/** Tags that the app reads first, the others by name, so that the order in which a sender has them changes nothing. */
function byImportance(a: string, b: string): number {
  return importanceOf(b) - importanceOf(a) || (a < b ? -1 : 1);
}

function importanceOf(name: string): number {
  return keptFirst.get(name) ?? -1;
}

/** Spaces around a text are removed without a report. */
function cleanText(text: string, max: number): { readonly text: string; readonly isChanged: boolean } {
  const printable = readableLine(text);
  const clean = printable.trim();
  const isLong = clean.length > max;
  return {
    text: isLong ? clean.slice(0, max).toWellFormed() : clean,
    isChanged: isLong || printable !== text,
  };
}

/** Ids of single threads, requests and processes: labels with too many values, and no person looks for one of them. */
const identifiers =
  /^(?:(?:process\.)?(?:parent_)?pid|tid|(?:(?:os |native )?thread|thread native|process|goroutine|task|span|trace|request|transaction|correlation|session|profile|local root span)[ _.-]?id)$/i;

export function isIdentifier(name: string): boolean {
  return identifiers.test(name);
}

/** Labels of single threads and requests. In a profile with only one of them they look like tags. */
const ofOneThread =
  /^(?:(?:(?:os |native )?thread|process|goroutine|span)[ _.-]?name|trace[ _.-]?(?:name|endpoint))$/i;

function canBeTag(name: string): boolean {
  return !isIdentifier(name) && !ofOneThread.test(name);
}

/**
 * The tags that a sender gave, followed by the labels that all samples share: older SDKs (pyroscope-io up to 0.8)
 * send tags as labels. A tag takes precedence over a label of the same name; labels fill the room that the tags leave.
 */
export function withLabelTags(
  tags: Iterable<readonly [string, string]>,
  raw: Uint8Array,
): readonly (readonly [string, string])[] {
  const given = [...tags];
  const names = new Set(given.map(([name]) => name));
  const labels = commonLabels(raw)
    .filter(([name]) => !names.has(name) && canBeTag(name))
    .sort(([a], [b]) => importanceOf(b) - importanceOf(a));
  return [...given, ...labels.slice(0, Math.max(0, tagLimits.tags - names.size))];
}

/** The normalized name of a service, or why it is refused. */
export function checkedService(text: string): Outcome<string> {
  const service = normalServiceName(text);
  if (service.length > limits.serviceNameLengthMax) {
    const max = limits.serviceNameLengthMax;
    return refused(
      "unprocessable",
      "service",
      `The service name is longer than ${max} characters. Shorten it.`,
    );
  }
  if (!isServiceName(service)) {
    return refused(
      "unprocessable",
      "service",
      "A service name may contain letters, digits and . _ - / : and starts with a letter, a digit or _, or with / before one of these. Rename the service.",
    );
  }
  return accepted(service);
}
