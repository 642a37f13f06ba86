import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { StackLines } from "#write/stack-lines.ts";
import { CallTree } from "./call-tree.ts";
import {
  indexIn,
  invalid,
  isObject,
  type JsonObject,
  lineOr,
  listIn,
  numberIn,
  objectIn,
  objectOr,
  positiveIn,
  textOr,
  wholeNanoseconds,
} from "./json-text.ts";

/**
 * The file format of https://www.speedscope.app, which py-spy, rbspy, dotnet-trace and others write: profiles of one thread each, either
 * samples with weights or events that open and close frames. (speedscope, file-format-spec.ts.)
 *
 * Events tell when a function began and ended, running or waiting: that is wall time. Samplers with a weight of time leave out waiting
 * threads by default: that is CPU time. Their samples count as well.
 */
export function isSpeedscope(json: JsonObject): boolean {
  return Array.isArray(json.profiles) && isObject(json.shared) && Array.isArray(json.shared.frames);
}

/** The length of each unit of time. */
const nanosecondsOf: Readonly<Record<string, number>> = {
  nanoseconds: 1,
  microseconds: 1e3,
  milliseconds: 1e6,
  seconds: 1e9,
};

interface Column {
  readonly sampleType: ValueType;
  readonly scale: number;
  /** Whether each entry is one sample, besides its weight. */
  readonly isCounted?: boolean;
}

const samplesType: ValueType = { type: "samples", unit: "count" };

export function readSpeedscope(json: JsonObject, limits: ReadLimits): Profile {
  const profiles = listIn(json.profiles, "profiles").map((profile) => objectIn(profile, "profiles"));
  const isOwn = json.exporter === "flamekeep";
  const columns = profiles.map((profile) => columnOf(profile, isOwn));
  const sampleTypes = distinct(columns, limits);
  const stacks = new StackLines(sampleTypes.length, limits);
  const frames = listIn(objectOr(json.shared).frames, "shared.frames").map((frame) => frameOf(stacks, frame));
  const tree = new CallTree(stacks, sampleTypes.length, limits);
  for (const [at, profile] of profiles.entries()) {
    const { sampleType, scale, isCounted } = columns[at]!;
    const column = sampleTypes.findIndex((each) => isSame(each, sampleType));
    const count = isCounted === true ? sampleTypes.findIndex((each) => isSame(each, samplesType)) : -1;
    const add = (call: number, value: number) => {
      tree.add(call, column, value);
      if (count >= 0 && value > 0) tree.add(call, count, 1);
    };
    if (profile.type === "evented") addEvents(profile, frames, tree, add);
    else addSamples(profile, frames, tree, add);
    const thread = textOr(profile.name).slice(0, limits.nameBytes);
    const isThread = profiles.length > 1 && thread !== "" && !isOwn;
    tree.write(
      isThread ? { thread } : {},
      sampleTypes.map(({ unit }) => (unit === "count" ? 1 : scale)),
    );
  }
  const durationNs = durationOf(profiles, columns);
  return stacks.profile(sampleTypes, { ...(durationNs !== undefined && { durationNs }) });
}

function isSame(a: ValueType, b: ValueType): boolean {
  return a.type === b.type && a.unit === b.unit;
}

/** Flamekeep's own files have a profile for each sample type, which it names. */
function columnOf({ type, unit, name }: JsonObject, isOwn: boolean): Column {
  const own = isOwn ? textOr(name).split(" ").at(-1)! : "";
  const scale = nanosecondsOf[Object.hasOwn(nanosecondsOf, String(unit)) ? String(unit) : ""];
  if (scale !== undefined) {
    const time = type === "evented" ? "wall" : "cpu";
    const isCounted = type !== "evented" && !isOwn;
    return { sampleType: { type: own || time, unit: "nanoseconds" }, scale, isCounted };
  }
  if (unit === "bytes") return { sampleType: { type: own || "alloc_space", unit: "bytes" }, scale: 1 };
  return { sampleType: own ? { type: own, unit: "count" } : samplesType, scale: 1 };
}

function distinct(columns: readonly Column[], limits: ReadLimits): ValueType[] {
  const all = columns.flatMap(({ sampleType, isCounted }) =>
    isCounted ? [samplesType, sampleType] : [sampleType],
  );
  const types = new Map(all.map((sampleType) => [`${sampleType.type}/${sampleType.unit}`, sampleType]));
  if (types.size === 0) throw new Refusal("empty", "The file of speedscope has no profile.", "profiles", 0);
  if (types.size <= limits.sampleTypes) return [...types.values()];
  const message = `The profile has more than ${limits.sampleTypes} sample types.`;
  throw new Refusal("too_large", message, "sampleTypes", limits.sampleTypes);
}

function frameOf(stacks: StackLines, frame: unknown): number {
  const { name, file, line } = objectIn(frame, "shared.frames");
  return stacks.frame({ name: textOr(name) || "[unknown]", file: textOr(file), line: lineOr(line) });
}

type Add = (call: number, value: number) => void;

function addSamples(profile: JsonObject, frames: readonly number[], tree: CallTree, add: Add): void {
  const samples = listIn(profile.samples, "samples");
  const weights = listIn(profile.weights, "weights");
  if (samples.length !== weights.length)
    throw invalid("weights", `it has ${samples.length} samples and ${weights.length} weights`);
  // Neighbours share most of their stack.
  let before: readonly unknown[] = [];
  const calls: number[] = [];
  for (const [at, sample] of samples.entries()) {
    const stack = listIn(sample, "samples");
    let same = 0;
    while (same < stack.length && stack[same] === before[same]) same++;
    calls.length = same;
    for (let i = same; i < stack.length; i++)
      calls.push(tree.child(calls.at(-1) ?? -1, frames[indexIn(stack[i], frames.length, "samples")]!));
    before = stack;
    const weight = positiveIn(weights[at], "weights");
    if (calls.length > 0) add(calls.at(-1)!, weight);
  }
}

/** A frame has the time during which it is the innermost open one. The end of the profile closes frames that are left open. */
function addEvents(profile: JsonObject, frames: readonly number[], tree: CallTree, add: Add): void {
  const open: { readonly frame: unknown; readonly call: number }[] = [];
  let before = numberIn(profile.startValue ?? 0, "startValue");
  const pass = (at: number) => {
    if (at < before) throw invalid("events", "its events are not in the order of their time");
    const innermost = open.at(-1);
    if (innermost !== undefined) add(innermost.call, at - before);
    before = at;
  };
  for (const event of listIn(profile.events, "events")) {
    const { type, frame, at } = objectIn(event, "events");
    pass(numberIn(at, "events.at"));
    if (type === "O") {
      const of = frames[indexIn(frame, frames.length, "events.frame")]!;
      open.push({ frame, call: tree.child(open.at(-1)?.call ?? -1, of) });
    } else if (type !== "C")
      throw invalid("events.type", "an event neither opens (O) nor closes (C) a frame");
    else if (open.pop()?.frame !== frame)
      throw invalid("events", "an event closes a frame that is not the innermost one");
  }
  if (open.length > 0) pass(numberIn(profile.endValue, "endValue"));
}

/** The longest of the profiles in a unit of time. */
function durationOf(profiles: readonly JsonObject[], columns: readonly Column[]): bigint | undefined {
  let longest = 0n;
  for (const [at, { startValue, endValue }] of profiles.entries()) {
    const { sampleType, scale } = columns[at]!;
    const span = wholeNanoseconds((Number(endValue ?? 0) - Number(startValue ?? 0)) * scale);
    if (sampleType.unit === "nanoseconds" && span > longest) longest = span;
  }
  return longest === 0n ? undefined : longest;
}
