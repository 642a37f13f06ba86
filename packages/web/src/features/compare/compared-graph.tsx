import type { Comparison, ComparisonMeta } from "@flamekeep/flame/compare";
import { useMemo } from "react";
import { scalingOf } from "#flame-graph/comparison/change-text.ts";
import { ComparisonWorkspace } from "#flame-graph/comparison/comparison-workspace.tsx";
import type { ComparisonMode } from "#flame-graph/comparison/modes.ts";
import { viewInScaling } from "#flame-graph/comparison/use-layouts.ts";
import { sampleTypeLabel } from "#format/sample-value.ts";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import { Select } from "#ui/controls/select.tsx";
import type { Compare } from "./use-compare.ts";

interface ComparedGraphProps {
  readonly compare: Compare;
  readonly comparison: Comparison;
  readonly meta: ComparisonMeta;
  readonly onRefresh: () => void;
}

const unitNames = { request: "Per request", second: "Per second", profile: "Per profile" } as const;

export function ComparedGraph({ compare, comparison, meta, onRefresh }: ComparedGraphProps) {
  const { mode, view, isSideBySide, change } = compare;
  const [normalisation] = meta.normalisations;
  const scaling = useMemo(
    () => scalingOf(comparison, meta, mode, normalisation),
    [comparison, meta, mode, normalisation],
  );

  function changeMode(next: ComparisonMode) {
    if (next === mode) return;
    const moved = viewInScaling(view, comparison, scaling, scalingOf(comparison, meta, next, normalisation));
    // The zoom is in the transformed comparison, whose siblings have yet another order.
    const isTransformed = view.transforms !== "";
    change({
      mode: next,
      zoom: (!isTransformed && moved.zoom) || undefined,
      focus: (!isTransformed && moved.focus) || undefined,
    });
  }

  return (
    <ComparisonWorkspace
      {...{ comparison, scaling, view, isSideBySide, onRefresh }}
      name={`compare-${meta.after.service}-${meta.type}`.replace(/[^\w.-]+/g, "-")}
      onViewChange={compare.changeView}
      actions={
        <>
          <SampleTypeSelect compare={compare} comparison={comparison} meta={meta} />
          <SegmentedControl
            className="max-md:h-10"
            label="Values"
            value={mode}
            options={{ absolute: "Absolute", relative: "Relative" }}
            onChange={changeMode}
          />
          {mode === "absolute" && meta.normalisations.length > 1 && (
            <Select
              label="Divided by"
              size="sm"
              value={normalisation.per}
              options={meta.normalisations.map(({ per }) => ({ value: per, label: unitNames[per] }))}
              onChange={(per) => change({ per })}
            />
          )}
          <SegmentedControl
            className="max-md:h-10"
            label="Layout"
            value={isSideBySide ? "sides" : "one"}
            options={{ one: "One graph", sides: "Side by side" }}
            onChange={(next) => change({ layout: next === "sides" ? "sides" : undefined })}
          />
        </>
      }
    />
  );
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
      onChange={(next) => compare.change({ sample_type: next, zoom: undefined, focus: undefined })}
    />
  );
}
