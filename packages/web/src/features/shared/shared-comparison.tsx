import type { CallTree } from "@flamekeep/flame";
import { type ComparisonMeta, decodeComparison } from "@flamekeep/flame/compare";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, Flame } from "lucide-react";
import { useMemo } from "react";
import { ComparisonPanel } from "#flame-graph/comparison-panel.tsx";
import { decodedComparison } from "#flame-graph/decode/decode-comparison.ts";
import { useZone } from "#preferences/time-zone.ts";
import { Message } from "#ui/content/message.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { readStoredFrames, type SharedView, sharedGraphQuery } from "./queries.ts";
import { useSharedView } from "./use-shared-view.ts";

interface SharedComparisonProps extends Pick<SharedView, "look"> {
  readonly token: string;
}

export function SharedComparison({ token, look }: SharedComparisonProps) {
  const query = useQuery(sharedGraphQuery(token));
  const decoded = useMemo(() => query.data && decodedComparison(query.data), [query.data]);
  const refresh = () => void query.refetch();
  if (decoded?.failure !== undefined || (decoded === undefined && query.error !== null)) {
    return (
      <Message
        icon={CircleAlert}
        tone="critical"
        title="Could not load the comparison"
        actions={<Button onClick={refresh}>Try Again</Button>}
      >
        <p>{decoded?.failure ?? query.error?.message}</p>
      </Message>
    );
  }
  if (decoded === undefined) return <Skeleton className="h-[40rem] w-full" />;
  if (decoded.value.comparison.length < 2) {
    return <Message icon={Flame} title="The profiles of these ranges are no longer stored" />;
  }
  const readStored = async () => decodeComparison(await readStoredFrames(token)).tree;
  return <Shown {...decoded.value} {...{ look, readStored }} onRefresh={refresh} />;
}

interface ShownProps extends Pick<SharedView, "look"> {
  readonly comparison: CallTree;
  readonly meta: ComparisonMeta;
  readonly readStored: () => Promise<CallTree>;
  readonly onRefresh: () => void;
}

function Shown({ comparison, meta, look, readStored, onRefresh }: ShownProps) {
  const { view, mode, colouring, isSideBySide, change, changeView } = useSharedView(look);
  const zone = useZone();
  return (
    <ComparisonPanel
      {...{ comparison, meta, zone, mode, colouring, isSideBySide, view, readStored, onRefresh }}
      onViewChange={changeView}
      onModeChange={(next) => change({ mode: next === "relative" ? next : "" })}
      onColouringChange={(by) => change({ color: by === "total" ? by : "" })}
      onLayoutChange={(sides) => change({ layout: sides ? "sides" : "" })}
    />
  );
}
