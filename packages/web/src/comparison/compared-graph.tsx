import { type CallTree, type FlameView, withoutFrameRefs } from "@flamekeep/flame";
import type { ChangeColouring, ComparisonMeta, SideMeta } from "@flamekeep/flame/compare";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { deploysQuery } from "#alert-list/marker-queries.ts";
import { ComparisonPanel } from "#flame-graph/comparison-panel.tsx";
import { ComparedSourceProvider, type Program, useSourceOf } from "#flame-graph/frame/source-links.tsx";
import type { ComparisonMode } from "#flame-graph/reading/change-text.ts";
import { Grouping } from "#flame-graph/toolbar/grouping.tsx";
import { groupingOf, groupingParams } from "#flame-graph/toolbar/grouping-params.ts";
import { sampleTypeLabel } from "#format/sample-value.ts";
import { clockTime } from "#format/time.ts";
import type { Zone } from "#format/wall-time.ts";
import { Select } from "#ui/controls/select.tsx";
import { useMinute } from "#ui/hooks/use-now.ts";
import { deployBetween, differentTags } from "./model.ts";
import { readStoredFrames } from "./queries.ts";
import type { CompareSearch } from "./search.ts";

/** The view of a comparison, and how it changes. */
export interface ComparedView {
  readonly search: CompareSearch;
  readonly zone: Zone;
  readonly view: FlameView;
  readonly mode: ComparisonMode;
  readonly colouring: ChangeColouring;
  readonly isSideBySide: boolean;
  readonly change: (part: CompareSearch) => void;
  readonly changeView: (next: FlameView) => void;
}

interface ComparedGraphProps {
  readonly compare: ComparedView;
  readonly comparison: CallTree;
  readonly meta: ComparisonMeta;
  readonly onRefresh: () => void;
  /** Where the page has the ranked functions; by default above the toolbar. Null until it is there. */
  readonly changesPlace?: HTMLElement | null;
}

const unitNames = { request: "Per request", second: "Per second", profile: "Per profile" } as const;

export function ComparedGraph({ compare, comparison, meta, onRefresh, changesPlace }: ComparedGraphProps) {
  const { mode, colouring, view, isSideBySide, zone, change } = compare;
  const [normalisation] = meta.normalisations;
  const before = useSourceOf(programOf(meta.before));
  const after = useSourceOf(programOf(meta.after));
  const deploy = useDeployText(meta, zone);
  const sources = useMemo(() => ({ before, after }), [before, after]);
  return (
    <ComparedSourceProvider value={sources}>
      <ComparisonPanel
        {...{ comparison, meta, zone, mode, colouring, isSideBySide, view, onRefresh }}
        {...(changesPlace !== undefined && { changesPlace })}
        deploy={deploy}
        readStored={() => readStoredFrames(compare.search, meta)}
        onViewChange={compare.changeView}
        onModeChange={(next) => change({ mode: next })}
        onColouringChange={(by) => change({ color: by === "total" ? by : undefined })}
        onLayoutChange={(sides) => change({ layout: sides ? "sides" : undefined })}
        actions={<SampleTypeSelect {...{ compare, comparison, meta }} />}
        valueControls={
          mode === "absolute" &&
          meta.normalisations.length > 1 && (
            <Select
              label="Divided by"
              size="sm"
              value={normalisation.per}
              options={meta.normalisations.map(({ per }) => ({ value: per, label: unitNames[per] }))}
              onChange={(per) => change({ per, ...withoutFrameRefs })}
            />
          )
        }
        transformItems={
          <Grouping
            grouping={groupingOf(compare.search)}
            onChange={(grouping) => change({ ...groupingParams(grouping), ...withoutFrameRefs })}
          />
        }
      />
    </ComparedSourceProvider>
  );
}

/** The release between both sides; undefined where none is known. */
function useDeployText(meta: ComparisonMeta, zone: Zone): string | undefined {
  const { before, after } = meta;
  const times = [before.from, before.to, after.from, after.to].sort();
  const { data } = useQuery({
    ...deploysQuery({
      service: after.service,
      range: { from: times[0]!, to: times.at(-1)! },
      refetchInterval: false,
    }),
    enabled: before.service === after.service,
  });
  const nowMs = useMinute();
  const tags = differentTags(meta);
  if (tags !== "") return tags;
  const deploy = deployBetween(meta, data?.deploys ?? []);
  return deploy && `Deploy of ${deploy.tag} ${deploy.value}, ${clockTime(deploy.timestamp, nowMs, zone)}`;
}

function programOf({ service, tags }: SideMeta): Program {
  return { service, version: tags.version };
}

function SampleTypeSelect({
  compare,
  comparison,
  meta,
}: Omit<ComparedGraphProps, "onRefresh" | "changesPlace">) {
  const { valueType } = comparison;
  if (meta.sampleTypes.length < 2) return null;
  return (
    <Select
      label="Sample type"
      size="sm"
      value={`${valueType.type}/${valueType.unit}`}
      options={meta.sampleTypes.map((value) => ({
        value,
        label: sampleTypeLabel(value.slice(0, value.lastIndexOf("/"))),
      }))}
      onChange={(next) => compare.change({ sample_type: next, ...withoutFrameRefs })}
    />
  );
}
