import type { FunctionTable } from "#tree/call-tree.ts";
import { oklch, toHex } from "./oklch.ts";
import type { Theme } from "./theme.ts";

const hueCount = 30;

/** Lightness, chroma and turn of the hues of each ring of colours: the first two are the clearest. */
const rings: Readonly<
  Record<Theme, readonly (readonly [lightness: number, chroma: number, turnDegrees: number])[]>
> = {
  light: [
    [0.84, 0.1, 0],
    [0.76, 0.1, 0],
    [0.9, 0.055, 6],
    [0.7, 0.06, 6],
    [0.8, 0.14, 3],
    [0.86, 0.03, 3],
    [0.72, 0.12, 9],
    [0.64, 0.08, 9],
  ],
  dark: [
    [0.58, 0.1, 0],
    [0.49, 0.1, 0],
    [0.64, 0.06, 6],
    [0.43, 0.06, 6],
    [0.54, 0.13, 3],
    [0.6, 0.03, 3],
    [0.46, 0.12, 9],
    [0.4, 0.08, 9],
  ],
};

/** Colours that a package has in every picture unless another one took it: thirty hues in two lightnesses. */
const preferredColours = hueCount * 2;

const packageColourCount = hueCount * rings.light.length;

/** The preferred colour of a package: the same in every profile and session. FNV-1a of its UTF-16 units. */
export function preferredColour(packageName: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < packageName.length; at++)
    hash = Math.imul(hash ^ packageName.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return (hash >>> 0) % preferredColours;
}

/**
 * Colours of the packages of a picture, in the order of its functions, which begins with the widest. Each has its preferred colour,
 * or, if an earlier one has that, the next free one: two packages look the same only beyond `packageColourCount` packages. Those
 * beyond have their preferred colours: thousands of them would look for a free one for a tenth of a second.
 */
export function packageColours({ packageName }: FunctionTable): ReadonlyMap<string, number> {
  const colours = new Map<string, number>();
  const isTaken = new Uint8Array(packageColourCount);
  // Function 0 is the root.
  for (let fn = 1; fn < packageName.length; fn++) {
    if (colours.has(packageName[fn])) continue;
    let colour = preferredColour(packageName[fn]);
    // Seven hues on, because the next one is hard to tell apart.
    for (let tries = 0; colours.size < packageColourCount && isTaken[colour] === 1; tries++)
      colour = tries % hueCount === hueCount - 1 ? nextRing(colour) : nextHue(colour);
    isTaken[colour] = 1;
    colours.set(packageName[fn], colour);
  }
  return colours;
}

/** The functions that decide the colours of packages: the root, and the first one of each package that can have a colour for itself. */
export function decidingFunctions({ packageName }: Pick<FunctionTable, "packageName">): number[] {
  const packages = new Set<string>();
  const deciding = [0];
  for (let fn = 1; fn < packageName.length && packages.size < packageColourCount; fn++) {
    if (!packages.has(packageName[fn])) deciding.push(fn);
    packages.add(packageName[fn]);
  }
  return deciding;
}

function nextHue(colour: number): number {
  return colour - (colour % hueCount) + (((colour % hueCount) + 7) % hueCount);
}

function nextRing(colour: number): number {
  return (colour + hueCount) % packageColourCount;
}

/** Colour of the root, which is in no package. */
export const rootColour = hueCount * rings.light.length;

/** The colours of packages, and that of the root. */
export function packagePalette(theme: Theme): string[] {
  const colours = rings[theme].flatMap(([lightness, chroma, turn]) =>
    Array.from({ length: hueCount }, (_, hue) =>
      toHex(oklch(lightness, chroma, turn + (hue * 360) / hueCount)),
    ),
  );
  return [...colours, toHex(oklch(theme === "light" ? 0.88 : 0.4, 0.006, 60))];
}
