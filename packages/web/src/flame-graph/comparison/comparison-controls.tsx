import type { ReactNode } from "react";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import type { ComparisonMode } from "./modes.ts";

interface ComparisonControlsProps {
  readonly mode: ComparisonMode;
  readonly onModeChange: (mode: ComparisonMode) => void;
  readonly isSideBySide: boolean;
  readonly onLayoutChange: (isSideBySide: boolean) => void;
  /** More controls of the values. */
  readonly children?: ReactNode;
}

/** How the values of a comparison are scaled, and whether its sides are one graph. */
export function ComparisonControls(props: ComparisonControlsProps) {
  const { mode, onModeChange, isSideBySide, onLayoutChange, children } = props;
  return (
    <>
      <SegmentedControl
        className="max-md:h-10"
        label="Values"
        value={mode}
        options={{ absolute: "Absolute", relative: "Relative" }}
        onChange={onModeChange}
      />
      {children}
      <SegmentedControl
        className="max-md:h-10"
        label="Layout"
        value={isSideBySide ? "sides" : "one"}
        options={{ one: "One graph", sides: "Side by side" }}
        onChange={(layout) => onLayoutChange(layout === "sides")}
      />
    </>
  );
}
