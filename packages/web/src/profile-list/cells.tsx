import type { Profile } from "@flamekeep/contract";
import { durationMsMeasure } from "#format/measure.ts";
import { mainSample, namedSampleMeasure, sampleTypeLabel } from "#format/sample-value.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Quantity } from "#ui/content/values.tsx";
import { shownTags } from "./model.ts";

/** The profile's total in the unit of its main sample type. */
export function ProfileTotal({ profile }: { readonly profile: Profile }) {
  const main = mainSample(profile.type, profile.sample_types);
  if (main === undefined) return <span className="text-muted">N/A</span>;
  return (
    <span title={sampleTypeLabel(main.type)} className="inline-block max-w-40 truncate align-bottom">
      <Quantity value={namedSampleMeasure(main.total, main.type, main.unit)} />
    </span>
  );
}

/** How long the profile was recorded. Snapshots have no duration. */
export function ProfileDuration({ profile }: { readonly profile: Profile }) {
  const durationMs = profile.statistics?.duration_ms ?? 0;
  if (durationMs === 0) return <span className="text-muted">N/A</span>;
  return <Quantity value={durationMsMeasure(durationMs)} />;
}

interface TagListProps {
  readonly tags: Readonly<Record<string, string>>;
  readonly limit: number;
}

export function TagList({ tags, limit }: TagListProps) {
  const { shown, hidden } = shownTags(tags, limit);
  if (shown.length === 0) return <span className="whitespace-nowrap text-muted">No tags</span>;
  return (
    <span className="flex min-w-0 items-center gap-1">
      {shown.map(([key, value]) => (
        <Badge key={key} title={`${key}: ${value}`} className="min-w-14 max-w-44 shrink">
          <span className="truncate">
            {key}: <span className="text-text">{value}</span>
          </span>
        </Badge>
      ))}
      {hidden.length > 0 && (
        <span
          className="shrink-0 text-label text-muted"
          title={hidden.map(([key, value]) => `${key}: ${value}`).join("\n")}
        >
          +{hidden.length} more
        </span>
      )}
    </span>
  );
}
