import { carriesPackage, categoryOf, isGeneratedFile, isPlatformPackage } from "@flamekeep/profile";
import type { FunctionTable } from "#tree/call-tree.ts";
import { oklch, toHex } from "./oklch.ts";
import type { Theme } from "./scheme-names.ts";

/**
 * Colours of packages. Hue and lightness follow from the name alone, so that a package looks the same in every profile, range, comparison
 * and export, whatever else is in the picture. Their saturation shows whose code it is:
 *
 * ```
 * own        the service's own modules    saturated
 * library    modules of others            half
 * platform   runtime, standard library    nearly grey
 * ```
 *
 * A runtime or standard library is known by its name. A module such as `github.com/acme/shop` may be the service's own or a dependency: the
 * paths of its files decide, which are the same in all profiles of a service.
 */
export type PackageFamily = "own" | "library" | "platform";

const hueCount = 30;

type Ring = readonly [lightness: number, chroma: number, turnDegrees: number];

/** Rings of hues. Own code and libraries have as many, so that a package keeps its hue where it is the own code of another service. */
const rings: Readonly<Record<Theme, Readonly<Record<PackageFamily, readonly Ring[]>>>> = {
  light: {
    own: [
      [0.82, 0.13, 0],
      [0.74, 0.14, 4],
      [0.66, 0.14, 8],
    ],
    library: [
      [0.88, 0.06, 0],
      [0.81, 0.07, 4],
      [0.74, 0.06, 8],
    ],
    platform: [
      [0.9, 0.016, 0],
      [0.85, 0.018, 6],
    ],
  },
  dark: {
    own: [
      [0.62, 0.12, 0],
      [0.54, 0.12, 4],
      [0.47, 0.12, 8],
    ],
    library: [
      [0.56, 0.05, 0],
      [0.49, 0.055, 4],
      [0.43, 0.05, 8],
    ],
    platform: [
      [0.42, 0.012, 0],
      [0.37, 0.014, 6],
    ],
  },
};

const families: readonly PackageFamily[] = ["own", "library", "platform"];

const countOf = (family: PackageFamily) => rings.light[family].length * hueCount;

/** The first colour of each family. */
const firstOf: Readonly<Record<PackageFamily, number>> = {
  own: 0,
  library: countOf("own"),
  platform: countOf("own") + countOf("library"),
};

/** Colour of the root, which is in no package. */
export const rootColour = firstOf.platform + countOf("platform");

/** The colours of packages, and the root's colour. */
export function packagePalette(theme: Theme): string[] {
  const colours = families.flatMap((family) =>
    rings[theme][family].flatMap(([lightness, chroma, turn]) =>
      Array.from({ length: hueCount }, (_, hue) =>
        toHex(oklch(lightness, chroma, turn + (hue * 360) / hueCount)),
      ),
    ),
  );
  return [...colours, toHex(oklch(theme === "light" ? 0.88 : 0.4, 0.006, 60))];
}

/** An index into the palette. */
export function packageColour(packageName: string, family: PackageFamily): number {
  return firstOf[family] + (hashOf(packageName) % countOf(family));
}

/** FNV-1a of the UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The colour of each package of a picture, in the order of its functions. Function 0 is the root. */
export function packageColours(functions: FunctionTable): ReadonlyMap<string, number> {
  return new Map(
    Array.from(packageFamilies(functions), ([name, family]) => [name, packageColour(name, family)]),
  );
}

/** The family of each package. Functions without a package may be of any code. */
function packageFamilies({ name, packageName, file, length }: FunctionTable): Map<string, PackageFamily> {
  const found = new Map<string, PackageFamily>();
  /** Packages for which a name or a file has decided. */
  const decided = new Set<string>();
  for (let fn = 1; fn < length; fn++) {
    const path = packageName[fn];
    if (decided.has(path)) continue;
    const byName = familyByName(path);
    const source = isGeneratedFile(file[fn]) ? "" : file[fn];
    if (byName !== undefined || source !== "") decided.add(path);
    else if (found.has(path)) continue;
    found.set(path, byName ?? familyByFile(name[fn], source));
  }
  return found;
}

const nativeLibrary = /\.(?:so|dylib|dll)$/u;

function familyByName(path: string): PackageFamily | undefined {
  if (path === "" || nativeLibrary.test(path)) return "library";
  if (path === "main") return "own";
  return isPlatformPackage(path) ? "platform" : undefined;
}

/** A file without folders says nothing: then the name decides, as without a file. */
function familyByFile(name: string, file: string): PackageFamily {
  const ofFile = categoryOf(name, file);
  const category = ofFile === "other" ? categoryOf(name) : ofFile;
  if (category === "user_code") return "own";
  // Packages of Go's library are known by their names.
  return category === "standard_library" && !carriesPackage(name, file) ? "platform" : "library";
}
