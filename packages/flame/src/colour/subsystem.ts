import { categoryOf, isScript, isStandardLibrary, packageSubsystem } from "@flamekeep/profile";
import { oklch, toHex } from "./oklch.ts";
import type { Theme } from "./scheme-names.ts";

export const subsystems = [
  "runtime",
  "network",
  "io",
  "sync",
  "system",
  "crypto",
  "encoding",
  "database",
  "http",
  "application",
  "third-party",
  "extended-stdlib",
  "other",
] as const;

export type Subsystem = (typeof subsystems)[number];

/**
 * Group of a function by its package, and by its file if the package does not decide: a module path with a version, `vendor`,
 * `node_modules` or `site-packages` is third-party code. Packages of Go's own library that are not in the table count as
 * extended-stdlib; a symbol without package and file is other.
 */
export function subsystemOf(symbolPackage: string, file: string): Subsystem {
  const packageName = symbolPackage === "" ? assemblyPackage(file) : symbolPackage;
  const subsystem = packageSubsystem(packageName);
  if (subsystem !== undefined) return subsystem;
  const isThirdParty = /@v\d|\/vendor\/|\/node_modules\/|\/(?:site|dist)-packages\//u.test(file);
  if (isThirdParty) return "third-party";
  if (isScript(file) && categoryOf("", file) === "standard_library") return "extended-stdlib";
  if (packageName === "main" || packageName.startsWith("main/")) return "application";
  const host = packageName.slice(0, Math.max(0, packageName.indexOf("/")));
  if (host.includes(".")) return file === "" ? "third-party" : "application";
  if (isInStandardLibrary(packageName, file)) return "extended-stdlib";
  return file === "" ? "other" : "application";
}

/** Go's assembly functions have no package in their names: `memeqbody` is in `internal/bytealg`, by the directory of its file. */
function assemblyPackage(file: string): string {
  const path = file.replaceAll("\\", "/");
  if (!path.endsWith(".s")) return "";
  const source = path.lastIndexOf("/src/");
  return path.slice(source === -1 ? 0 : source + "/src/".length, Math.max(0, path.lastIndexOf("/")));
}

/**
 * By the package's name alone where the program was built with -trimpath: files of Go's library and of a module without a host in its path
 * look alike then.
 */
function isInStandardLibrary(packageName: string, file: string): boolean {
  const isAbsolute = /^(?:\/|[A-Za-z]:)/u.test(file);
  if (isAbsolute && !file.replaceAll("\\", "/").includes(`/src/${packageName}/`)) return false;
  return isStandardLibrary(packageName);
}

/** Hue and chroma of each group; the runtime is grey and other is paler, the application is the ember of the product. */
const hues: Readonly<Record<Subsystem, readonly [hue: number, chroma: number]>> = {
  runtime: [80, 0.02],
  network: [245, 0.11],
  io: [200, 0.1],
  sync: [350, 0.12],
  system: [110, 0.09],
  crypto: [300, 0.11],
  encoding: [85, 0.13],
  database: [165, 0.11],
  http: [265, 0.11],
  application: [42, 0.15],
  "third-party": [135, 0.11],
  "extended-stdlib": [225, 0.06],
  other: [60, 0.01],
};

export function subsystemPalette(theme: Theme): string[] {
  return subsystems.map((group) => {
    const [hue, chroma] = hues[group];
    const pale = group === "other" ? (theme === "light" ? 0.08 : -0.1) : 0;
    return toHex(oklch((theme === "light" ? 0.8 : 0.54) + pale, chroma, hue));
  });
}
