import type { Percent } from "@flamekeep/profile";
import { fromHex, mix, toHex } from "./oklch.ts";
import type { Theme } from "./scheme-names.ts";

export type RampName = "cool" | "viridis" | "plasma";

/** Shares in percent that the legend marks. Equally far apart in colour: most frames are below ten percent. */
export const legendStops = [0, 10, 25, 50, 75, 100] as const;

const rampSteps = 20;

/** Viridis and plasma: matplotlib's colour maps at ten equal steps. */
const anchors: Readonly<Record<RampName, readonly string[]>> = {
  cool: ["#d8eef3", "#b0dcea", "#82c5e0", "#56abd6", "#338fcb", "#2473b8", "#24589c", "#263f7d"],
  viridis: [
    "#440154",
    "#482878",
    "#3e4a89",
    "#31688e",
    "#26828e",
    "#1f9e89",
    "#35b779",
    "#6dcd59",
    "#b4de2c",
    "#fde725",
  ],
  plasma: [
    "#0d0887",
    "#46039f",
    "#7201a8",
    "#9c179e",
    "#bd3786",
    "#d8576b",
    "#ed7953",
    "#fb9f3a",
    "#fdca26",
    "#f0f921",
  ],
};

/** Position of a share on the ramp, 0 .. 1, so that the legend's stops are equally far apart. */
export function rampPosition(percent: Percent): number {
  const share = Math.min(100, Math.max(0, percent));
  let stop = 1;
  while (share > legendStops[stop]) stop++;
  const from = legendStops[stop - 1];
  return (stop - 1 + (share - from) / (legendStops[stop] - from)) / (legendStops.length - 1);
}

export function rampStep(percent: Percent): number {
  return Math.min(rampSteps - 1, Math.floor(rampPosition(percent) * rampSteps));
}

/**
 * Colours of the steps, low to high. The dark theme makes them a little lighter, so that dark steps stand out. `cool`, whose light colours mean
 * low values, is reversed there and made a little darker.
 */
export function rampPalette(name: RampName, theme: Theme): string[] {
  const stops = anchors[name].map(fromHex);
  const ordered = name === "cool" && theme === "dark" ? stops.toReversed() : stops;
  return Array.from({ length: rampSteps }, (_, step) => {
    const at = (step / (rampSteps - 1)) * (ordered.length - 1);
    const low = Math.min(ordered.length - 2, Math.floor(at));
    const colour = mix(ordered[low], ordered[low + 1], at - low);
    return toHex(
      theme === "dark" ? mix(colour, name === "cool" ? [0, 0, 0] : [255, 255, 255], 0.12) : colour,
    );
  });
}

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
