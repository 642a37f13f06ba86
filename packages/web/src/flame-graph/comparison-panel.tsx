import type { CallTree } from "@flamekeep/flame";
import type { ComparisonMeta } from "@flamekeep/flame/compare";
import { type ReactNode, useMemo } from "react";
import { exportFileName } from "#api/save-file.ts";
import type { Zone } from "#format/wall-time.ts";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import { GraphPanel, type GraphPanelProps } from "./panel/graph-panel.tsx";
import { SidePanes } from "./panel/side-panes.tsx";
import { type ComparisonMode, comparedTitle, scalingOf } from "./reading/change-text.ts";
import { comparedReading } from "./reading/compared.tsx";

interface ComparisonPanelProps
  extends Omit<GraphPanelProps, "graph" | "reading" | "sides" | "name" | "title" | "note" | "actions"> {
  readonly comparison: CallTree;
  readonly meta: ComparisonMeta;
  readonly zone: Zone;
  readonly mode: ComparisonMode;
  readonly onModeChange: (mode: ComparisonMode) => void;
  readonly isSideBySide: boolean;
  readonly onLayoutChange: (isSideBySide: boolean) => void;
  /** More controls of the toolbar, and of the values. */
  readonly actions?: ReactNode;
  readonly valueControls?: ReactNode;
}

/** Two flame graphs as one, or next to each other. */
export function ComparisonPanel(props: ComparisonPanelProps) {
  const { comparison, meta, zone, mode, onModeChange, isSideBySide, onLayoutChange, ...rest } = props;
  const { actions, valueControls, ...panel } = rest;
  const [normalisation] = meta.normalisations;
  const reading = useMemo(
    () => comparedReading(scalingOf(comparison, meta, mode, normalisation)),
    [comparison, meta, mode, normalisation],
  );
  return (
    <GraphPanel
      {...panel}
      graph={comparison}
      reading={reading}
      sides={isSideBySide ? SidePanes : undefined}
      name={exportFileName("compare", meta.after.service, meta.type)}
      title={comparedTitle(meta, zone)}
      actions={
        <>
          {actions}
          <SegmentedControl
            className="max-md:h-10"
            label="Values"
            value={mode}
            options={{ absolute: "Absolute", relative: "Relative" }}
            onChange={onModeChange}
          />
          {valueControls}
          <SegmentedControl
            className="max-md:h-10"
            label="Layout"
            value={isSideBySide ? "sides" : "one"}
            options={{ one: "One graph", sides: "Side by side" }}
            onChange={(layout) => onLayoutChange(layout === "sides")}
          />
        </>
      }
    />
  );
}
