import { type Profile, profileTypeEntry } from "@flamekeep/contract";
import { coresMeasure, durationMsMeasure, measureText } from "#format/measure.ts";
import { mainSample, namedSampleMeasure } from "#format/sample-value.ts";

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
