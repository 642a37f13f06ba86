import { type CallTree, withoutFrameRefs } from "@flamekeep/flame";
import type { ComparisonMeta, SideMeta } from "@flamekeep/flame/compare";
import { useMemo } from "react";
import { ComparisonPanel } from "#flame-graph/comparison-panel.tsx";
import { ComparedSourceProvider, type Program, useSourceOf } from "#flame-graph/frame/source-links.tsx";
import { Grouping } from "#flame-graph/toolbar/grouping.tsx";
import { groupingOf, groupingParams } from "#flame-graph/toolbar/grouping-params.ts";
import { sampleTypeLabel } from "#format/sample-value.ts";
import { Select } from "#ui/controls/select.tsx";
import { readStoredFrames } from "./queries.ts";
import type { Compare } from "./use-compare.ts";

interface ComparedGraphProps {
  readonly compare: Compare;
  readonly comparison: CallTree;
  readonly meta: ComparisonMeta;
  readonly onRefresh: () => void;
}

const unitNames = { request: "Per request", second: "Per second", profile: "Per profile" } as const;

export function ComparedGraph({ compare, comparison, meta, onRefresh }: ComparedGraphProps) {
  const { mode, view, isSideBySide, zone, change } = compare;
  const [normalisation] = meta.normalisations;
  const before = useSourceOf(programOf(meta.before));
  const after = useSourceOf(programOf(meta.after));
  const sources = useMemo(() => ({ before, after }), [before, after]);
  return (
    <ComparedSourceProvider value={sources}>
      <ComparisonPanel
        {...{ comparison, meta, zone, mode, isSideBySide, view, onRefresh }}
        readStored={() => readStoredFrames(compare.search, meta)}
        onViewChange={compare.changeView}
        onModeChange={(next) => change({ mode: next })}
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

function programOf({ service, tags }: SideMeta): Program {
  return { service, version: tags.version };
}

function SampleTypeSelect({ compare, comparison, meta }: Omit<ComparedGraphProps, "onRefresh">) {
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
