import type { Zone } from "#format/wall-time.ts";
import type { SeriesColor } from "./colours.ts";
import type { Values } from "./series.ts";
import { momentText } from "./time-ticks.ts";

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
  /** In a list of several events. */
  readonly shortLabel: string;
  readonly onSelect: () => void;
}

export interface ColoredSeries extends ChartSeries {
  readonly color: SeriesColor;
  readonly dash: number[] | undefined;
}

/** `Nov 20, 10:42: Deploy: version 1.1. Before: 1.0` */
export function markerText({ atMs, label, details }: ChartMarker, zone: Zone): string {
  return `${momentText(atMs, zone)}: ${label}${details === undefined ? "" : `. ${details}`}`;
}
