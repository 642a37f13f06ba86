import { type CallTree, type FunctionTable, wholeOf } from "#tree/call-tree.ts";
import { fromHex, luminance } from "./oklch.ts";
import { packageColours, packagePalette, rootColour } from "./package-hue.ts";
import { heatPalette, heatStep, legendStops, rampPalette, rampStep } from "./ramp.ts";
import type { Scheme, Theme } from "./scheme-names.ts";
import { subsystemOf, subsystemPalette, subsystems } from "./subsystem.ts";

/** The fixed red of search matches. */
export const matchColour = "#e11d2e";

/** Colours of a scheme, by the ids of `nodeColours`. */
export function paletteOf(scheme: Scheme, theme: Theme): readonly string[] {
  if (scheme === "heat") return heatPalette[theme];
  if (scheme === "package") return packagePalette(theme);
  if (scheme === "subsystem") return subsystemPalette(theme);
  return rampPalette(scheme, theme);
}

/**
 * Colour ids of nodes: heat by the share of the whole that a frame has itself, which is where time is spent, the other ramps by the share
 * with its callees, or by function. The zoom does not change them. Computed for drawn nodes, not for the whole tree.
 */
export function nodeColours(tree: CallTree, scheme: Scheme): (node: number) => number {
  const { fn, self, total } = tree;
  if (scheme === "package" || scheme === "subsystem") {
    const ofFunction = functionColours(tree, scheme);
    return (node) => ofFunction[fn[node]];
  }
  const whole = wholeOf(tree) || 1;
  if (scheme === "heat") return (node) => heatStep((self[node] / whole) * 100);
  return (node) => rampStep((total[node] / whole) * 100);
}

function functionColours({ functions }: CallTree, scheme: "package" | "subsystem"): Uint8Array {
  const { packageName, file, length } = functions;
  if (scheme === "subsystem")
    return Uint8Array.from({ length }, (_, fn) => subsystems.indexOf(subsystemOf(packageName[fn], file[fn])));
  const colours = packageColours(functions);
  return Uint8Array.from({ length }, (_, fn) =>
    fn === 0 ? rootColour : (colours.get(packageName[fn]) ?? rootColour),
  );
}

export interface LegendEntry {
  readonly label: string;
  readonly colour: string;
}

/** The meaning of the colours. The picture's packages are listed in the order of its functions; functions without one have an empty label. */
export function legendOf(scheme: Scheme, theme: Theme, functions: FunctionTable): readonly LegendEntry[] {
  const palette = paletteOf(scheme, theme);
  if (scheme === "package")
    return Array.from(packageColours(functions), ([label, colour]) => ({ label, colour: palette[colour] }));
  if (scheme === "subsystem") return subsystems.map((label, id) => ({ label, colour: palette[id] }));
  const step = scheme === "heat" ? heatStep : rampStep;
  return legendStops.map((percent) => ({ label: `${percent}%`, colour: palette[step(percent)] }));
}

/** Ink that can be read on a colour, with a contrast of 4.58:1 or more: the one with more contrast. */
export function inkOn(colour: string): "#000000" | "#ffffff" {
  return luminance(fromHex(colour)) > 0.179 ? "#000000" : "#ffffff";
}
