import { functions } from "./match.ts";
import type { Subject } from "./subject.ts";

/** Functions that Go had before, or has since, a minor version. */
const markers: readonly { readonly minor: number; readonly before?: string; readonly since?: string }[] = [
  { minor: 26, since: "internal/runtime/syscall/linux.*" },
  { minor: 26, before: "runtime.scanobject" },
  { minor: 26, before: "internal/runtime/syscall.*" },
  { minor: 24, since: "internal/runtime/maps.*" },
  { minor: 24, before: "runtime/internal/syscall.*" },
  { minor: 24, before: "runtime.evacuate*" },
  { minor: 23, since: "internal/runtime/*" },
];

interface VersionRange {
  /** Minor version of Go 1: at least this one. */
  readonly from: number;
  /** Older than this one. */
  readonly below: number;
  /** `go1.22.3`, or `a version of Go older than 1.24`. */
  readonly text: string;
}

/** The minor version since which the functions of maps call a package for maps. */
const swissMaps = 24;
const mapCalls = functions("runtime.{mapaccess,mapassign}*");
const mapPackage = functions("internal/runtime/maps.*");
/** Stacks with maps from which on it is no accident that the package is in none of them. */
const mapStacksMin = 3;

function hasOldMaps({ index }: Subject): boolean {
  return (
    index.stacksWith(mapCalls).length >= mapStacksMin &&
    index.stacksWith(mapPackage).length === 0 &&
    index.stacksWith(functions("internal/runtime/syscall/linux.*")).length === 0
  );
}

/** The Go version as the sender or the profile names it, otherwise as far as the names of functions show it. */
export function goVersionOf(subject: Subject): VersionRange {
  const match = /^go1\.(\d{1,3})/.exec(subject.goVersion);
  if (match !== null) {
    const minor = Number(match[1]);
    return { from: minor, below: minor + 1, text: subject.goVersion };
  }
  const isUsed = (pattern: string | undefined) =>
    pattern !== undefined && subject.index.flagsOf(functions(pattern)).includes(1);
  const from = markers.filter(({ since }) => isUsed(since)).map(({ minor }) => minor);
  const below = Math.min(
    ...markers.filter(({ before }) => isUsed(before)).map(({ minor }) => minor),
    hasOldMaps(subject) ? swissMaps : Number.POSITIVE_INFINITY,
  );
  const isOld = below !== Number.POSITIVE_INFINITY;
  return {
    from: Math.max(0, ...from),
    below,
    text: isOld ? `a version of Go older than 1.${below}` : "an unknown version of Go",
  };
}
