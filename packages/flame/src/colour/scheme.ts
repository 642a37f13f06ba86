import type { Percent } from "@flamekeep/profile";
import { type CallTree, type FunctionTable, wholeOf } from "#tree/call-tree.ts";
import { languagePalette, languages, languagesOf } from "./language.ts";
import { fromHex, luminance, mix, toHex } from "./oklch.ts";
import { packageColours, packagePalette, rootColour } from "./package-colour.ts";
import type { Scheme, Theme } from "./scheme-names.ts";
import { subsystemOf, subsystemPalette, subsystems } from "./subsystem.ts";

/** The fixed red of search matches. */
export const matchColour = "#e11d2e";

/** Colours of a scheme, by the ids of `nodeColours`. */
export function paletteOf(scheme: Scheme, theme: Theme): readonly string[] {
  if (scheme === "heat") return heatPalette[theme];
  if (scheme === "package") return packagePalette(theme);
  if (scheme === "subsystem") return subsystemPalette(theme);
  if (scheme === "language") return languagePalette(theme);
  return rampPalette(scheme, theme);
}

/**
 * Colour ids of nodes: heat by the share of the whole that a frame has itself, which is where time is spent, the other ramps by the share
 * with its callees, or by function. The zoom does not change them. Computed for drawn nodes, not for the whole tree.
 */
export function nodeColours(tree: CallTree, scheme: Scheme): (node: number) => number {
  const { fn, self, total } = tree;
  if (scheme === "package" || scheme === "subsystem" || scheme === "language") {
    const ofFunction = functionColours(tree, scheme);
    return (node) => ofFunction[fn[node]];
  }
  const whole = wholeOf(tree) || 1;
  if (scheme === "heat") return (node) => heatStep((self[node] / whole) * 100);
  return (node) => rampStep((total[node] / whole) * 100);
}

function functionColours({ functions }: CallTree, scheme: "package" | "subsystem" | "language"): Uint8Array {
  const { packageName, file, length } = functions;
  if (scheme === "subsystem")
    return Uint8Array.from({ length }, (_, fn) => subsystems.indexOf(subsystemOf(packageName[fn], file[fn])));
  if (scheme === "language")
    return Uint8Array.from(languagesOf(functions), (language) => languages.indexOf(language));
  const colours = packageColours(functions);
  return Uint8Array.from({ length }, (_, fn) =>
    fn === 0 ? rootColour : (colours.get(packageName[fn]) ?? rootColour),
  );
}

export interface LegendEntry {
  readonly label: string;
  readonly colour: string;
}

/** The meaning of the colours. Only languages of the functions are listed, the root aside. The picture's packages are listed in the order of its functions; functions without one have an empty label. */
export function legendOf(scheme: Scheme, theme: Theme, functions: FunctionTable): readonly LegendEntry[] {
  const palette = paletteOf(scheme, theme);
  if (scheme === "package")
    return Array.from(packageColours(functions), ([label, colour]) => ({ label, colour: palette[colour] }));
  if (scheme === "subsystem") return subsystems.map((label, id) => ({ label, colour: palette[id] }));
  if (scheme === "language") {
    const found = new Set(languagesOf(functions).slice(1));
    return languages
      .map((label, id) => ({ label, colour: palette[id] }))
      .filter(({ label }) => found.has(label));
  }
  const step = scheme === "heat" ? heatStep : rampStep;
  return legendStops.map((percent) => ({ label: `${percent}%`, colour: palette[step(percent)] }));
}

/** Ink that can be read on a colour, with a contrast of 4.58:1 or more: the one with more contrast. */
export function inkOn(colour: string): "#000000" | "#ffffff" {
  return luminance(fromHex(colour)) > 0.179 ? "#000000" : "#ffffff";
}

type RampName = "cool" | "viridis" | "plasma";

/** Shares in percent that the legend marks. Equally far apart in colour: most frames are below ten percent. */
const legendStops = [0, 10, 25, 50, 75, 100] as const;

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

function rampStep(percent: Percent): number {
  return Math.min(rampSteps - 1, Math.floor(rampPosition(percent) * rampSteps));
}

/**
 * Colours of the steps, low to high. The dark theme makes them a little lighter, so that dark steps stand out. `cool`, whose light colours mean
 * low values, is reversed there and made a little darker.
 */
function rampPalette(name: RampName, theme: Theme): string[] {
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
