import type { Profile } from "@flamekeep/contract";
import { type FlameView, fromLinkParams, toLinkParams } from "@flamekeep/flame";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { FlameGraph } from "#flame-graph/flame-graph.tsx";
import { mainSample, sampleTypeLabel } from "#format/sample-value.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Select } from "#ui/controls/select.tsx";
import { flameGraphQuery } from "./queries.ts";

/** Zoom, search, colours and sample type are in the URL, so that a shared link shows the same view. */
export function FlamePanel({ profile }: { readonly profile: Profile }) {
  const search = useSearch({ from: "/protected/profile/$profileId" });
  const navigate = useNavigate({ from: "/profile/$profileId" });
  const query = useQuery(flameGraphQuery(profile.profile_id, search.sample_type));
  const chosen = search.sample_type ?? mainSample(profile.type, profile.sample_types)?.type ?? "";

  function show(view: FlameView, sampleType = search.sample_type) {
    void navigate({
      search: { ...(sampleType !== undefined && { sample_type: sampleType }), ...toLinkParams(view) },
      replace: true,
      resetScroll: false,
    });
  }

  const view = fromLinkParams(search);
  return (
    <Card className="min-w-0 overflow-clip">
      <CardHeader title="Flame graph" />
      <div className="border-line border-t">
        <FlameGraph
          query={query}
          profileId={profile.profile_id}
          view={view}
          onViewChange={(next) => show(next)}
          actions={
            <SampleTypeSelect profile={profile} value={chosen} onChange={(type) => show(view, type)} />
          }
        />
      </div>
    </Card>
  );
}

interface SampleTypeSelectProps {
  readonly profile: Profile;
  readonly value: string;
  readonly onChange: (sampleType: string) => void;
}

/** A profile often measures several things at once: bytes and objects, in use and allocated. */
function SampleTypeSelect({ profile, value, onChange }: SampleTypeSelectProps) {
  if (profile.sample_types.length < 2) return null;
  const options = profile.sample_types.map(({ type }) => ({ value: type, label: sampleTypeLabel(type) }));
  return (
    <Select
      label="Sample type"
      size="sm"
      value={value}
      options={options}
      onChange={onChange}
      className="min-w-36"
    />
  );
}
