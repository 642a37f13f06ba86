import type { Profile } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Flame } from "lucide-react";
import { sampleTypeLabel } from "#format/sample-value.ts";
import { Card, CardHeader } from "#ui/card.tsx";
import { Message } from "#ui/message.tsx";
import { Panel } from "#ui/panel.tsx";
import { Select } from "#ui/select.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import { flameGraphQuery } from "./queries.ts";

export function FlamePanel({ profile }: { readonly profile: Profile }) {
  const search = useSearch({ from: "/protected/profile/$profileId" });
  const navigate = useNavigate({ from: "/profile/$profileId" });
  const query = useQuery({
    ...flameGraphQuery(profile.profile_id, search.sample_type),
    enabled: profile.type !== "metrics",
  });
  if (profile.type === "metrics") return null;
  return (
    <Card>
      <CardHeader
        title="Flame graph"
        actions={
          <Select
            label="Sample type"
            value={search.sample_type ?? ""}
            options={profile.sample_types.map((t) => ({ value: t.type, label: sampleTypeLabel(t.type) }))}
            onChange={(v) => void navigate({ search: (b) => ({ ...b, sample_type: v }), replace: true })}
          />
        }
      />
      <Panel
        query={query}
        loading={<Skeleton className="h-[800px]" />}
        errorTitle="Failed to load flame graph data"
      >
        {(bytes) => <Message icon={Flame} title={`${bytes.length}`} />}
      </Panel>
    </Card>
  );
}
