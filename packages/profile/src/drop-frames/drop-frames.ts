import { RE2JS, RE2JSException } from "re2js";
import type { LocationColumns, Profile, SampleColumns } from "#model/profile.ts";

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

/** Real lists of allocator functions have under 2,000 characters. */
const textMax = 8192;
const instructionsMax = 8192;
/** Characters with all repetitions written out: a short pattern could become a million instructions. */
const expandedMax = 32_768;
/** Longer names match no pattern. */
const nameMax = 1024;
/** For all names: up to a second. Sixty names of allocators take a fifth of it over 20,000 functions, and 30 ms. */
const workMax = 5_000_000;

/**
 * A pattern in Go's regular expression syntax (RE2), without Unicode classes and the flag `i`: they can take seconds to compile.
 *
 * RE2JS builds a deterministic automaton while it matches. A cached step costs nothing; a new one costs up to the
 * number of instructions, and there are at most as many as states times character classes.
 */
export class FramePattern {
  /** True once matching became too costly: from then on nothing matches. */
  isExhausted = false;
  readonly #pattern: RE2JS;
  readonly #workMax: number;
  #characters = 0;

  private constructor(pattern: RE2JS, most: number) {
    this.#pattern = pattern;
    this.#workMax = most;
    // RE2JS would clear a large automaton, and `#workAfter` could not count its states. `workMax` bounds the memory instead.
    pattern.re2().dfa.memBudget = Number.MAX_SAFE_INTEGER;
  }

  /**
   * Undefined if the text is invalid, too large or not supported.
   *
   * @param most the work for all names
   */
  static compile(text: string, most = workMax): FramePattern | undefined {
    if (text.length > textMax || expandedLength(text) > expandedMax) return undefined;
    if (/\(\?[a-zA-Z]*i/.test(text)) return undefined;
    try {
      const pattern = RE2JS.compile(text, RE2JS.DISABLE_UNICODE_GROUPS);
      return pattern.programSize() > instructionsMax ? undefined : new FramePattern(pattern, most);
    } catch (error) {
      if (error instanceof RE2JSException) return undefined;
      throw error;
    }
  }

  /** Whether the pattern matches anywhere in the name, as Go's MatchString does. */
  matches(name: string): boolean {
    if (name.length > nameMax) return false;
    this.#characters += name.length + 1;
    this.isExhausted ||= this.#workAfter(name.length + 1) > this.#workMax;
    return !this.isExhausted && this.#pattern.test(name);
  }

  /** Work done once `characters` more are matched, at most. */
  #workAfter(characters: number): number {
    const { stateCount, numClasses } = this.#pattern.re2().dfa;
    const newSteps = Math.min(this.#characters, stateCount * (numClasses + 1) + characters);
    const tables = (stateCount + characters) * numClasses;
    return newSteps * this.#pattern.programSize() + tables + this.#characters;
  }
}

/** Length of a pattern whose counts all multiplied each other: `(ab{3}){2}` has 10 * 3 * 2. */
function expandedLength(text: string): number {
  let length = text.length;
  for (const [, least, most] of text.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    length *= Math.max(1, Number(least), Number(most ?? 0));
  }
  return length;
}

const anonymous = "(anonymous namespace)";

/** Whether a function's name was made shorter than the one that the compiler gave it. */
function isShortened(name: string, systemName: string): boolean {
  return name !== "" && name !== systemName;
}

/**
 * The name that `drop_frames` and `keep_frames` match, as Go's pprof does: C++ names without their parameters,
 * those not shortened yet (`isWhole`) without template arguments too, and without the leading dot of PowerPC names.
 */
function matchedName(name: string, isWhole: boolean): string {
  return withoutParameters(isWhole ? shortened(name) : name);
}

/** From simplifyFunc in profile/prune.go. Parentheses of `operator()` and unnamed namespaces belong to the name. */
function withoutParameters(written: string): string {
  const name = written.startsWith(".") ? written.slice(1) : written;
  let at = name.indexOf("(");
  while (at !== -1) {
    if (name.startsWith(anonymous, at)) at += anonymous.length;
    else if (name.endsWith("operator", at) && name[at + 1] === ")") at += 2;
    else return name.slice(0, at);
    at = name.indexOf("(", at);
  }
  return name;
}

/** From looksLikeDemangledCPlusPlus in internal/symbolizer: names of Java and Go have these characters elsewhere. */
function shortened(name: string): string {
  if (name.includes(".<") || name.includes("]).")) return name;
  if (!/[<>[\]]|::/.test(name)) return name;
  return withoutPairs(withoutPairs(name, "(", ")"), "<", ">");
}

/** Removes text between the outermost pairs, up to an unmatched closing one. */
function withoutPairs(name: string, open: string, close: string): string {
  let kept = "";
  let from = 0;
  let first = 0;
  let nesting = 0;
  for (let at = 0; at < name.length; at++) {
    if (name[at] === open && nesting++ === 0) first = at;
    if (name[at] !== close) continue;
    if (nesting === 0) break;
    if (--nesting > 0) continue;
    kept += name.slice(from, first);
    from = at + 1;
  }
  return kept + name.slice(from);
}
