import type { ProfileType } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { FlameGraph } from "#flame-graph/flame-graph.tsx";
import { plural } from "#format/number.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { cx } from "#ui/cx.ts";
import { mergedQuery } from "./queries.ts";
import type { Explore } from "./use-explore.ts";

interface MergedFlameProps {
  readonly explore: Explore;
  readonly type: ProfileType | "wall";
  /** Profiles of the type in what is selected; undefined while unknown. */
  readonly profiles: number | undefined;
  /** The selection or range in words. */
  readonly label: string;
}

const refreshMs = 60_000;

/** The flame graph of all profiles in what is selected. */
export function MergedFlame({ explore, type, profiles, label }: MergedFlameProps) {
  const { service, active: range, sampleType, tags, time, selection, view, changeView } = explore;
  const query = useQuery({
    ...mergedQuery({ service, type, range, sampleType, tags }),
    refetchInterval: selection === undefined && time.refreshMs(refreshMs),
  });
  return (
    <Card className="min-w-0 overflow-clip">
      <CardHeader
        title="Flame graph"
        detail={profiles === undefined ? label : `${plural(profiles, "profile")} merged, ${label}`}
      />
      <div
        className={cx(
          "border-line border-t transition-opacity duration-150",
          query.isPlaceholderData && "opacity-55",
        )}
      >
        <FlameGraph
          query={query}
          profileId={`${service}-${type}`.replace(/[^\w.-]+/g, "-")}
          view={view}
          onViewChange={changeView}
          emptyText="No profile was sent in this range."
        />
      </div>
    </Card>
  );
}
