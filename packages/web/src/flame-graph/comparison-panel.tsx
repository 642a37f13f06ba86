import type { CallTree } from "@flamekeep/flame";
import type { ChangeColouring, ComparisonMeta } from "@flamekeep/flame/compare";
import { type ReactNode, useMemo } from "react";
import { createPortal } from "react-dom";
import { exportFileName } from "#api/save-file.ts";
import type { Zone } from "#format/wall-time.ts";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import { WhatChanged, type WhatChangedProps } from "./changes/what-changed.tsx";
import { bringIntoView } from "./frame/wanted-function.ts";
import { GraphPanel, type GraphPanelProps, type HeadParts } from "./panel/graph-panel.tsx";
import { SidePanes } from "./panel/side-panes.tsx";
import { type ComparisonMode, comparedTitle, scalingOf } from "./reading/change-text.ts";
import { comparedReading } from "./reading/compared.tsx";

interface ComparisonPanelProps
  extends Omit<
    GraphPanelProps,
    "graph" | "reading" | "sides" | "name" | "title" | "note" | "actions" | "head" | "legendControls"
  > {
  readonly comparison: CallTree;
  readonly meta: ComparisonMeta;
  readonly zone: Zone;
  readonly mode: ComparisonMode;
  readonly onModeChange: (mode: ComparisonMode) => void;
  readonly colouring: ChangeColouring;
  readonly onColouringChange: (by: ChangeColouring) => void;
  readonly isSideBySide: boolean;
  readonly onLayoutChange: (isSideBySide: boolean) => void;
  /** The release between both sides. */
  readonly deploy?: ReactNode;
  /** Where the page has the ranked functions; by default above the toolbar. Null until it is there. */
  readonly changesPlace?: HTMLElement | null;
  /** More controls of the toolbar, and of the values. */
  readonly actions?: ReactNode;
  readonly valueControls?: ReactNode;
}

/** Two flame graphs compared: the functions that changed, ranked, then both graphs as one or next to each other. */
export function ComparisonPanel(props: ComparisonPanelProps) {
  const { comparison, meta, zone, mode, onModeChange, isSideBySide, onLayoutChange, ...rest } = props;
  const { actions, valueControls, colouring, onColouringChange, deploy, changesPlace, ...panel } = rest;
  const [normalisation] = meta.normalisations;
  const scaling = useMemo(
    () => scalingOf(comparison, meta, mode, normalisation),
    [comparison, meta, mode, normalisation],
  );
  const reading = useMemo(
    () => comparedReading(scaling, { by: colouring, profileType: meta.type }),
    [scaling, colouring, meta.type],
  );
  return (
    <GraphPanel
      {...panel}
      graph={comparison}
      reading={reading}
      sides={isSideBySide ? SidePanes : undefined}
      name={exportFileName("compare", meta.after.service, meta.type)}
      title={comparedTitle(meta, zone)}
      head={(parts) => <Changes {...parts} {...{ meta, scaling, deploy }} place={changesPlace} />}
      legendControls={
        <SegmentedControl
          className="max-md:h-10"
          label="Colors"
          value={colouring}
          options={{ self: "Self", total: "Total" }}
          onChange={onColouringChange}
        />
      }
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

interface ChangesProps extends HeadParts, Pick<WhatChangedProps, "meta" | "scaling" | "deploy"> {
  readonly place: HTMLElement | null | undefined;
}

function Changes({ whole, selectedFunction, onSelect, place, ...props }: ChangesProps) {
  function select(name: string) {
    onSelect(name);
    // In another place, the graph may be below the screen.
    if (place !== undefined && name !== "") bringIntoView(name);
  }
  const changes = <WhatChanged {...props} tree={whole} selected={selectedFunction} onSelect={select} />;
  if (place === undefined) return changes;
  return place && createPortal(changes, place);
}
