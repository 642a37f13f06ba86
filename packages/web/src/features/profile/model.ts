import { type DisplayType, limits, type Profile, profileTypeEntry } from "@flamekeep/contract";
import { coresMeasure, durationMsMeasure, measureText } from "#format/measure.ts";
import { plural } from "#format/number.ts";
import { mainSample, namedSampleMeasure } from "#format/sample-value.ts";

/** `json_heavy` -> `json heavy`. */
export function withSpaces(snakeCase: string): string {
  return snakeCase.replaceAll("_", " ");
}

/** `1m30s` -> `1 min 30 s`, as durations are written everywhere else. */
export function spacedDuration(duration: string): string {
  return duration.replace(/(?<=\d)m(?![a-z])/g, "min").replace(/(?<=\d)(?=[a-zµ])|(?<=[a-z])(?=\d)/g, " ");
}

const omissions: Readonly<Record<string, (count: number) => string>> = {
  gauges: () => "No memory in use: this profile is a difference (?seconds=).",
  depth: (count) => `${plural(count, "stack")} truncated at the leaf side: too many frames.`,
  labels: (count) => `${plural(count, "label")} dropped: over the limit per sample.`,
  names: (count) => `${plural(count, "name")} shortened to the last 8 KB.`,
  lines: (count) => `${plural(count, "line number")} out of range, shown as unknown.`,
  drop_frames: () => "The profile's drop_frames pattern is invalid, so no frame was dropped.",
  label_values: (count) =>
    `${plural(count, "value of a label", "values of labels")} folded: over the limit of distinct values.`,
  tag_text: (count) => `${plural(count, "tag name or value", "tag names and values")} shortened or cleaned.`,
};

type Trimmed = Pick<Profile, "trimmed" | "tags" | "dropped_tags">;

/** One sentence for each part of a profile that the server left out, with the reason. */
export function omissionsOf(profile: Trimmed): string[] {
  return Object.entries(profile.trimmed).map(([name, count]) => {
    if (name === "tags") return droppedTags(count, profile);
    return omissions[name]?.(count) ?? `A limit cut ${name} (${plural(count, "time")}).`;
  });
}

/** `2 tags were dropped: a profile can have 32. Dropped: zone, team.` */
function droppedTags(count: number, { tags, dropped_tags: names = [] }: Trimmed): string {
  const isFull = Object.keys(tags).length >= limits.profileTagsMax;
  const reason = isFull
    ? `a profile can have ${limits.profileTagsMax}`
    : "empty, duplicate or with a reserved name";
  const dropped = `${plural(count, "tag was", "tags were")} dropped: ${reason}.`;
  if (names.length === 0) return dropped;
  const more = count > names.length ? ` and ${count - names.length} more` : "";
  return `${dropped} Dropped: ${names.join(", ")}${more}.`;
}

/** Titles of the analysis tab, for the types that have one. */
export const analysisTitles: Readonly<Partial<Record<DisplayType, string>>> = {
  goroutine: "Goroutine Analysis",
  mutex: "Mutex Contention",
  block: "Block Analysis",
  custom: "Custom Spans",
};

type ReadProfile = Pick<Profile, "type" | "display_type" | "sample_types" | "statistics">;

/** One sentence: what this type of profile measures and what its total means. */
export function readingOf(profile: ReadProfile): string {
  const main = mainSample(profile.type, profile.sample_types);
  if (main === undefined) return "This profile has no values.";
  const { type, unit, total } = main;
  const durationMs = profile.statistics?.duration_ms ?? 0;
  const hasCores = unit === "nanoseconds" && durationMs > 0;
  const sentence = profileTypeEntry(profile.display_type).reading({
    sampleType: type,
    value: measureText(namedSampleMeasure(total, type, unit)),
    over: durationMs > 0 ? `in ${measureText(durationMsMeasure(durationMs))}` : "",
    cores: hasCores ? measureText(coresMeasure(total / 1e6 / durationMs)) : undefined,
  });
  return `${sentence.trim()}.`;
}
