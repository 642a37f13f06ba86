import type { FunctionTable } from "#tree/call-tree.ts";
import { oklch, toHex } from "./oklch.ts";
import type { Theme } from "./scheme-names.ts";

const hueCount = 30;

type Ring = readonly [lightness: number, chroma: number, turnDegrees: number];

/** Lightness, chroma and turn of the hues of each ring of colours: the first two are the clearest. */
const rings: Readonly<Record<Theme, readonly Ring[]>> = {
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

/** Colours closer than this (OKLab distance, in either theme) look the same in frames that are not neighbours. */
export const alikeBelow = 0.04;

/** A colour that replaces a preferred one is at least this far from all others, if there is such a colour. */
const clearFrom = 0.06;

/** Later packages only avoid colours in use, not similar ones: nobody tells more colours apart, and comparing them delays the first paint. */
const clearPackages = 64;

/**
 * Colours of the packages of a picture. A package has its preferred colour, unless another one before it has that or a similar one: then it
 * has the next colour that is clearly different, or else the most different one. So the first `packageColourCount` packages have
 * different colours. Later ones have their preferred colours: searching for thousands of them would take a tenth of a second.
 *
 * Packages are taken by name, and those with their preferred colour first, so that pictures with nearly the same packages have nearly
 * the same colours, wherever their frames are.
 */
export function packageColours({ packageName }: FunctionTable): ReadonlyMap<string, number> {
  const names = packagesOf(packageName);
  const colours = new Map<string, number>();
  /** The distance of each colour to the nearest colour in use. */
  const distance = new Float64Array(packageColourCount).fill(Number.POSITIVE_INFINITY);
  const take = (name: string, colour: number) => {
    colours.set(name, colour);
    if (colours.size <= clearPackages) updateDistances(distance, colour);
    else distance[colour] = 0;
  };
  const withPreferred = (name: string) => {
    const preferred = preferredColour(name);
    if (distance[preferred] < alikeBelow) return false;
    take(name, preferred);
    return true;
  };
  for (const group of [names.slice(0, clearPackages), names.slice(clearPackages, packageColourCount)]) {
    const others = group.sort().filter((name) => !withPreferred(name));
    for (const name of others) take(name, differentColour(preferredColour(name), distance));
  }
  // Legends list them in the order of the picture.
  return new Map(names.map((name) => [name, colours.get(name) ?? preferredColour(name)]));
}

/** Each once, outermost first. Function 0 is the root. */
function packagesOf(packageName: readonly string[]): string[] {
  const found = new Set<string>();
  for (let fn = 1; fn < packageName.length; fn++) found.add(packageName[fn]);
  return [...found];
}

/** The functions that decide the colours of packages: the root and the first function of each of the first `packageColourCount` packages. */
export function decidingFunctions({ packageName }: Pick<FunctionTable, "packageName">): number[] {
  const packages = new Set<string>();
  const deciding = [0];
  for (let fn = 1; fn < packageName.length && packages.size < packageColourCount; fn++) {
    if (!packages.has(packageName[fn])) deciding.push(fn);
    packages.add(packageName[fn]);
  }
  return deciding;
}

/** The next colour that is clearly different from all in use, or else the most different one. */
function differentColour(after: number, distance: Float64Array): number {
  let [colour, best] = [after, after];
  for (let tries = 1; tries <= packageColourCount; tries++) {
    // Seven hues on, because the next one is hard to tell apart.
    colour = tries % hueCount === 0 ? nextRing(colour) : nextHue(colour);
    if (distance[colour] >= clearFrom) return colour;
    if (distance[colour] > distance[best]) best = colour;
  }
  return best;
}

function updateDistances(distance: Float64Array, taken: number): void {
  for (let colour = 0; colour < packageColourCount; colour++)
    distance[colour] = Math.min(distance[colour], colourDistance(colour, taken));
}

/** The OKLab distance of two colours, in the theme in which they are closer. */
export function colourDistance(a: number, b: number): number {
  return Math.min(distanceIn(points.light, a, b), distanceIn(points.dark, a, b));
}

type Point = readonly [lightness: number, a: number, b: number];

/** The colours in OKLab, by number. */
const points: Readonly<Record<Theme, readonly Point[]>> = {
  light: pointsOf("light"),
  dark: pointsOf("dark"),
};

function pointsOf(theme: Theme): Point[] {
  return coloursIn(theme, (lightness, chroma, hue): Point => {
    const angle = (hue * Math.PI) / 180;
    return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
  });
}

/** Something of each colour of the rings, by number. */
function coloursIn<T>(theme: Theme, of: (lightness: number, chroma: number, hueDegrees: number) => T): T[] {
  return rings[theme].flatMap(([lightness, chroma, turn]) =>
    Array.from({ length: hueCount }, (_, hue) => of(lightness, chroma, turn + (hue * 360) / hueCount)),
  );
}

function distanceIn(inTheme: readonly Point[], a: number, b: number): number {
  const [from, to] = [inTheme[a], inTheme[b]];
  return Math.sqrt((from[0] - to[0]) ** 2 + (from[1] - to[1]) ** 2 + (from[2] - to[2]) ** 2);
}

function nextHue(colour: number): number {
  return colour - (colour % hueCount) + (((colour % hueCount) + 7) % hueCount);
}

function nextRing(colour: number): number {
  return (colour + hueCount) % packageColourCount;
}

/** Colour of the root, which is in no package. */
export const rootColour = hueCount * rings.light.length;

/** The colours of packages, and the root's colour. */
export function packagePalette(theme: Theme): string[] {
  const colours = coloursIn(theme, oklch).map(toHex);
  return [...colours, toHex(oklch(theme === "light" ? 0.88 : 0.4, 0.006, 60))];
}
