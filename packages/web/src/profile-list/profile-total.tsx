import type { Profile } from "@flamekeep/contract";
import { mainSample, sampleMeasure, sampleTypeLabel } from "#format/sample-value.ts";
import { Quantity } from "#ui/quantity.tsx";

/** What the profile measured in all, in the unit of its main sample type. */
export function ProfileTotal({ profile }: { readonly profile: Profile }) {
  const main = mainSample(profile.type, profile.sample_types);
  if (main === undefined) return <span className="text-muted">N/A</span>;
  return (
    <span title={sampleTypeLabel(main.type)}>
      <Quantity value={sampleMeasure(main.total, main.unit)} />
    </span>
  );
}
