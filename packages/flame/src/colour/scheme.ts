import { type CallTree, wholeOf } from "#tree/call-tree.ts";
import { heatPalette, heatStep } from "./heat.ts";
import { fromHex, luminance } from "./oklch.ts";
import { packageColour, packagePalette } from "./package-hue.ts";
import { legendStops, rampPalette, rampStep } from "./ramp.ts";
import { subsystemOf, subsystemPalette, subsystems } from "./subsystem.ts";
import type { Theme } from "./theme.ts";

export const schemes = ["heat", "cool", "viridis", "plasma", "package", "subsystem"] as const;

export type Scheme = (typeof schemes)[number];

/** The fixed red of search matches. */
export const matchColour = "#e11d2e";

/** Colours of a scheme, by the ids of `nodeColours`. */
export function paletteOf(scheme: Scheme, theme: Theme): readonly string[] {
  if (scheme === "heat") return heatPalette[theme];
  if (scheme === "package") return packagePalette(theme);
  if (scheme === "subsystem") return subsystemPalette(theme);
  return rampPalette(scheme, theme);
}

/** Colour ids of nodes: by share of the whole, which does not change with the zoom, or by function. Computed for drawn nodes, not for the whole tree. */
export function nodeColours(tree: CallTree, scheme: Scheme): (node: number) => number {
  const { fn, total } = tree;
  if (scheme === "package" || scheme === "subsystem") {
    const ofFunction = functionColours(tree, scheme);
    return (node) => ofFunction[fn[node]];
  }
  const step = scheme === "heat" ? heatStep : rampStep;
  const whole = wholeOf(tree) || 1;
  return (node) => step((total[node] / whole) * 100);
}

function functionColours(tree: CallTree, scheme: "package" | "subsystem"): Uint8Array {
  const { packageName, file, length } = tree.functions;
  return Uint8Array.from({ length }, (_, fn) =>
    scheme === "package"
      ? packageColour(packageName[fn])
      : subsystems.indexOf(subsystemOf(packageName[fn], file[fn])),
  );
}

export interface LegendEntry {
  readonly label: string;
  readonly colour: string;
}

/** The meaning of the colours; empty for packages, which have too many. */
export function legendOf(scheme: Scheme, theme: Theme): readonly LegendEntry[] {
  const palette = paletteOf(scheme, theme);
  if (scheme === "package") return [];
  if (scheme === "subsystem") return subsystems.map((label, id) => ({ label, colour: palette[id] }));
  const step = scheme === "heat" ? heatStep : rampStep;
  return legendStops.map((percent) => ({ label: `${percent}%`, colour: palette[step(percent)] }));
}

/** Ink that can be read on a colour: the one with more contrast. */
export function inkOn(colour: string): "#141210" | "#ffffff" {
  return luminance(fromHex(colour)) > 0.2 ? "#141210" : "#ffffff";
}
