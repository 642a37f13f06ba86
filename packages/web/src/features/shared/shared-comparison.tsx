import { type Comparison, type ComparisonMeta, decodeComparison } from "@flamekeep/flame/compare";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, Flame } from "lucide-react";
import { useMemo } from "react";
import { comparedTitle, scalingOf } from "#flame-graph/comparison/change-text.ts";
import { ComparisonControls } from "#flame-graph/comparison/comparison-controls.tsx";
import { ComparisonWorkspace } from "#flame-graph/comparison/comparison-workspace.tsx";
import { decodedComparison } from "#flame-graph/comparison/decode-comparison.ts";
import { exportFileName } from "#flame-graph/export/file-name.ts";
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
    return <Message icon={Flame} title="No profile of these ranges is stored any more" />;
  }
  const readStored = async () => decodeComparison(await readStoredFrames(token)).comparison;
  return <Shown {...decoded.value} {...{ look, readStored }} onRefresh={refresh} />;
}

interface ShownProps extends Pick<SharedView, "look"> {
  readonly comparison: Comparison;
  readonly meta: ComparisonMeta;
  readonly readStored: () => Promise<Comparison>;
  readonly onRefresh: () => void;
}

function Shown({ comparison, meta, look, readStored, onRefresh }: ShownProps) {
  const { view, mode, isSideBySide, change, changeView } = useSharedView(look);
  const zone = useZone();
  const [normalisation] = meta.normalisations;
  const scaling = useMemo(
    () => scalingOf(comparison, meta, mode, normalisation),
    [comparison, meta, mode, normalisation],
  );
  return (
    <ComparisonWorkspace
      {...{ comparison, scaling, view, isSideBySide, readStored, onRefresh }}
      name={exportFileName("compare", meta.after.service, meta.type)}
      title={comparedTitle(meta, zone)}
      onViewChange={changeView}
      actions={
        <ComparisonControls
          {...{ mode, isSideBySide }}
          onModeChange={(next) => change({ mode: next === "relative" ? next : "" })}
          onLayoutChange={(sides) => change({ layout: sides ? "sides" : "" })}
        />
      }
    />
  );
}
