import type { Profile } from "@flamekeep/contract";
import { durationMsMeasure } from "#format/duration.ts";
import { mainSample, namedSampleMeasure, sampleTypeLabel } from "#format/sample-value.ts";
import { Quantity } from "#ui/quantity.tsx";

/** What the profile measured in all, in the unit of its main sample type. */
export function ProfileTotal({ profile }: { readonly profile: Profile }) {
  const main = mainSample(profile.type, profile.sample_types);
  if (main === undefined) return <span className="text-muted">N/A</span>;
  return (
    <span title={sampleTypeLabel(main.type)} className="inline-block max-w-40 truncate align-bottom">
      <Quantity value={namedSampleMeasure(main.total, main.type, main.unit)} />
    </span>
  );
}

/** For how long it was taken; a snapshot has none. */
export function ProfileDuration({ profile }: { readonly profile: Profile }) {
  const durationMs = profile.statistics?.duration_ms ?? 0;
  if (durationMs === 0) return <span className="text-muted">N/A</span>;
  return <Quantity value={durationMsMeasure(durationMs)} />;
}
