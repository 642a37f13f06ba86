import type { SeriesColor } from "./colours.ts";
import type { Values } from "./model/series.ts";

export interface ChartSeries {
  readonly id: string;
  readonly label: string;
  /** One value per bucket; null where nothing was measured. */
  readonly values: Values;
  readonly color?: SeriesColor;
}

export interface ChartMarker {
  readonly atMs: number;
  readonly kind: "deploy" | "alert";
  readonly label: string;
  readonly details?: string;
  /** Buttons of its details. */
  readonly actions?: readonly MarkerAction[];
}

export interface MarkerAction {
  readonly label: string;
  readonly onSelect: () => void;
}

export interface ColoredSeries extends ChartSeries {
  readonly color: SeriesColor;
  readonly dash: number[] | undefined;
}
