import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import type { ValueType } from "#model/stack-table.ts";
import { StackLines } from "#write/stack-lines.ts";
import {
  indexIn,
  invalid,
  isObject,
  type JsonObject,
  lineOr,
  listIn,
  objectIn,
  positiveIn,
  textOr,
} from "./json-text.ts";

/** JSON of Ruby's stackprof: `stackprof --json`, or its result as JSON. */
export function isStackprof(json: JsonObject): boolean {
  return isObject(json.frames) && typeof json.mode === "string" && "interval" in json && "samples" in json;
}

/**
 * `raw` is a flat list: the depth of a stack, its frames root first, and how often it was seen in a row. Time is the number of samples
 * times the interval in microseconds.
 */
export function readStackprof(json: JsonObject, limits: ReadLimits): Profile {
  if (json.raw === undefined || json.raw === null)
    throw invalid(
      "raw",
      "the file of stackprof has no stacks, only totals of functions: record it with raw: true",
    );
  const raw = listIn(json.raw, "raw");
  const lines = json.raw_lines === undefined ? [] : listIn(json.raw_lines, "raw_lines");
  const frames = objectIn(json.frames, "frames");
  const { sampleTypes, factors } = columnsOf(json);
  const stacks = new StackLines(sampleTypes.length, limits);
  for (let at = 0; at < raw.length; ) {
    const depth = indexIn(raw[at], raw.length - at - 1, "raw");
    const stack = [];
    for (let place = at + depth; place > at; place--)
      stack.push(stacks.frame(frameOf(frames, raw[place], lines[place])));
    const count = positiveIn(raw[at + depth + 1], "raw");
    stacks.add(
      stack,
      factors.map((factor) => count * factor),
    );
    at += depth + 2;
  }
  return stacks.profile(sampleTypes);
}

function columnsOf({ mode, interval }: JsonObject): { sampleTypes: ValueType[]; factors: number[] } {
  const samples = { type: "samples", unit: "count" };
  switch (mode) {
    case "cpu":
    case "wall": {
      const nanoseconds = positiveIn(interval, "interval") * 1000;
      return { sampleTypes: [samples, { type: mode, unit: "nanoseconds" }], factors: [1, nanoseconds] };
    }
    case "object":
      return {
        sampleTypes: [{ type: "alloc_objects", unit: "count" }],
        factors: [positiveIn(interval, "interval")],
      };
    default:
      return { sampleTypes: [samples], factors: [1] };
  }
}

function frameOf(frames: JsonObject, id: unknown, line: unknown) {
  if (!Object.hasOwn(frames, String(id))) throw invalid("raw", `raw names a frame that does not exist`);
  const { name, file, line: startLine } = objectIn(frames[String(id)], "frames");
  const start = lineOr(startLine);
  return {
    name: textOr(name) || "[unknown]",
    file: textOr(file),
    line: lineOr(line) || start,
    startLine: start,
  };
}
