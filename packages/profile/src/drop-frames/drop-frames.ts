import type { LocationColumns, Profile, SampleColumns } from "#model/profile.ts";
import { FramePattern } from "./frame-pattern.ts";
import { isShortened, matchedName } from "./matched-name.ts";

/** The columns that the patterns read. */
type PatternColumns = Pick<Profile, "dropFrames" | "keepFrames" | "strings" | "functions" | "locations">;

/**
 * The profile without the frames that it asks to drop, as RemoveUninteresting of Go's pprof gives it: the frame that matches
 * `drop_frames` and not `keep_frames` is removed with everything it called.
 *
 * ```
 * main  handle  operator new  malloc  mmap      drop_frames: operator new|malloc      main  handle
 * ```
 *
 * The first match from the root decides. Frames before the first kept frame stay, so that no stack becomes
 * empty. Values and labels do not change. If a pattern cannot be used, nothing is dropped: see `Trimmed`.
 */
export function withoutDroppedFrames(profile: Profile): Profile {
  if (profile.dropFrames === "" || profile.trimmed.drop_frames > 0) return profile;
  const drops = profile.drops ?? droppedFunctions(profile);
  if (drops === undefined || !drops.includes(1)) return profile;
  const cut = cutsOf(profile.locations, drops);
  return {
    ...profile,
    samples: cutSamples(profile.samples, cut, profile.locations.lineStart),
    locations: cutLocations(profile.locations, cut),
  };
}

/** 1 for each function that matches; undefined where a pattern is invalid, larger than the limits, or too costly to match. */
export function droppedFunctions(profile: PatternColumns): Uint8Array | undefined {
  const drop = patternOf(profile.dropFrames);
  const keep = profile.keepFrames === "" ? null : patternOf(profile.keepFrames);
  if (drop === undefined || keep === undefined) return undefined;
  const { functions, locations } = profile;
  const drops = new Uint8Array(functions.length);
  // Functions can share a long string, and strings of one name can differ in their parameters.
  const byString = new Map<number, number>();
  const byName = new Map<string, number>();
  for (const fn of new Set(locations.lineFunction)) {
    const string = nameString(profile, fn);
    let isDropped = byString.get(string);
    if (isDropped === undefined) {
      const name = matchedName(profile.strings[string >> 1], (string & 1) === 1);
      isDropped = byName.get(name) ?? (name !== "" && drop.matches(name) && !keep?.matches(name) ? 1 : 0);
      if (drop.isExhausted || keep?.isExhausted) return undefined;
      byString.set(string, isDropped);
      byName.set(name, isDropped);
    }
    drops[fn] = isDropped;
  }
  return drops;
}

/** The name to match: twice its string index, plus 1 if it is not demangled or shortened yet. */
function nameString({ functions, strings }: PatternColumns, fn: number): number {
  const name = functions.name[fn];
  const systemName = functions.systemName[fn];
  return isShortened(strings[name], strings[systemName]) ? 2 * name : 2 * systemName + 1;
}

/** Go puts them together as text, so that `a)|(b` is a pattern. */
function patternOf(text: string): FramePattern | undefined {
  return FramePattern.compile(`^(${text})$`);
}

/** How many lines of each location go, from the innermost on. */
function cutsOf({ length, lineStart, lineFunction }: LocationColumns, drops: Uint8Array): Uint32Array {
  const cut = new Uint32Array(length);
  for (let location = 0; location < length; location++) {
    const from = lineStart[location];
    let line = lineStart[location + 1] - 1;
    while (line >= from && drops[lineFunction[line]] === 0) line--;
    cut[location] = line - from + 1;
  }
  return cut;
}

/** Locations that are cut completely keep their lines: they stay in stacks where they come first. */
function cutLocations(locations: LocationColumns, cut: Uint32Array): LocationColumns {
  const { length, lineStart, lineFunction, line, column } = locations;
  const kept: number[] = [];
  const start = new Uint32Array(length + 1);
  for (let location = 0; location < length; location++) {
    const from = lineStart[location];
    const end = lineStart[location + 1];
    for (let at = isWhole(cut, lineStart, location) ? from : from + cut[location]; at < end; at++)
      kept.push(at);
    start[location + 1] = kept.length;
  }
  return {
    ...locations,
    lineStart: start,
    lineFunction: Uint32Array.from(kept, (at) => lineFunction[at]),
    line: Int32Array.from(kept, (at) => line[at]),
    column: Int32Array.from(kept, (at) => column[at]),
  };
}

function cutSamples(samples: SampleColumns, cut: Uint32Array, lineStart: Uint32Array): SampleColumns {
  const location = new Uint32Array(samples.location.length);
  const locationStart = new Uint32Array(samples.length + 1);
  let filled = 0;
  for (let sample = 0; sample < samples.length; sample++) {
    const end = samples.locationStart[sample + 1];
    for (let at = keptFrom(samples, sample, cut, lineStart); at < end; at++)
      location[filled++] = samples.location[at];
    locationStart[sample + 1] = filled;
  }
  return { ...samples, locationStart, location: location.slice(0, filled) };
}

/** Index of the first location that a stack keeps. */
function keptFrom(samples: SampleColumns, sample: number, cut: Uint32Array, lineStart: Uint32Array): number {
  const from = samples.locationStart[sample];
  let isFrameKept = false;
  for (let at = samples.locationStart[sample + 1] - 1; at >= from; at--) {
    const location = samples.location[at];
    if (cut[location] === 0) isFrameKept = true;
    else if (isFrameKept) return isWhole(cut, lineStart, location) ? at + 1 : at;
  }
  return from;
}

function isWhole(cut: Uint32Array, lineStart: Uint32Array, location: number): boolean {
  return cut[location] === lineStart[location + 1] - lineStart[location];
}
