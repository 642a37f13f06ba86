import type { ChartMarker } from "#charts/chart.ts";
import type { Zone } from "#format/wall-time.ts";
import { momentText } from "./time-ticks.ts";

/** `Nov 20, 10:42: Deploy: version 1.1. Before: 1.0` */
export function markerText({ atMs, label, details }: ChartMarker, zone: Zone): string {
  return `${momentText(atMs, zone)}: ${label}${details === undefined ? "" : `. ${details}`}`;
}
