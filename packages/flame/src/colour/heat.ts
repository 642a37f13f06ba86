import type { Percent } from "@flamekeep/profile";
import type { Theme } from "./theme.ts";

/** Lower bounds in percent of the total, exclusive; values at or below the last one have the last colour. */
const thresholds = [80, 60, 40, 20, 10, 5, 2, 1] as const;

/** From red to light green. The dark theme has the same order in darker colours. */
export const heatPalette: Readonly<Record<Theme, readonly string[]>> = {
  light: ["#d7191c", "#e8512f", "#f07c4a", "#f8a35f", "#fdc57a", "#fee09a", "#e6eda3", "#cbe8a1", "#b5dfa5"],
  dark: ["#b3151a", "#b93a20", "#b45a2c", "#a8712f", "#9a8136", "#85863c", "#6a7f40", "#547643", "#466b47"],
};

/** Step of a share, 0 for the largest. @param percent of the total, 0 .. 100 */
export function heatStep(percent: Percent): number {
  for (let step = 0; step < thresholds.length; step++) if (percent > thresholds[step]) return step;
  return thresholds.length;
}

export function heatColour(percent: Percent, theme: Theme): string {
  return heatPalette[theme][heatStep(percent)];
}
