import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { StackLines } from "#write/stack-lines.ts";
import {
  isObject,
  type JsonObject,
  lineOr,
  listIn,
  listOr,
  objectIn,
  objectOr,
  textOr,
  wholeNanoseconds,
} from "./json-text.ts";
import { V8Calls, v8CpuFacts, v8CpuTypes } from "./v8-calls.ts";

/**
 * Traces of Chrome, Chromium, Electron, Deno and Node.js in the Trace Event Format, for the CPU profiles of V8 in them:
 *
 * ```
 * Profile        id, startTime                          one for each thread that was profiled
 * ProfileChunk   id, new nodes, samples, timeDeltas     the rest of it, in parts
 * CpuProfile     a whole .cpuprofile                    in traces of Chrome 66 and earlier
 * ```
 */
export function isChromeTrace(json: JsonObject): boolean {
  return Array.isArray(json.traceEvents);
}

interface Recording {
  readonly process: unknown;
  thread: unknown;
  readonly nodes: JsonObject[];
  readonly samples: { readonly ids: unknown[]; readonly deltas: unknown[]; readonly lines: unknown[] };
}

export function readChromeTrace(json: JsonObject, limits: ReadLimits): Profile {
  const events = listIn(json.traceEvents, "traceEvents").filter(isObject);
  const recordings = recordingsIn(events);
  if (recordings.length === 0) {
    const message =
      "The trace has no CPU profile in it, only events with their times. Record it with the category disabled-by-default-v8.cpu_profiler, as Chrome's Performance panel does.";
    throw new Refusal("not_pprof", message, "traceEvents", 0);
  }
  const names = namesIn(events);
  const processes = new Set(recordings.map(({ process }) => process));
  const stacks = new StackLines(v8CpuTypes.length, limits);
  let longestUs = 0;
  for (const { process, thread, nodes, samples } of recordings) {
    const calls = new V8Calls(stacks, limits);
    for (const node of nodes) calls.addNode(node.id, node);
    for (const { id, parent, children } of nodes) {
      if (parent !== undefined) calls.setParent(id, parent);
      for (const child of listOr(children)) calls.setParent(child, id);
    }
    const { ids, deltas, lines } = samples;
    const timeUs = calls.addSamples({ ids, deltas, lineOf: (at) => lineOr(lines[at]) });
    longestUs = Math.max(longestUs, timeUs);
    const name = (of: string) => names.get(of)?.slice(0, limits.nameBytes);
    calls.write({
      ...(recordings.length > 1 && { thread: name(`${process} ${thread}`) ?? String(thread) }),
      ...(processes.size > 1 && { process: `${name(`${process}`) ?? "process"} ${process}` }),
    });
  }
  const durationNs = wholeNanoseconds(longestUs * 1000) || 1n;
  return stacks.profile(v8CpuTypes, { ...v8CpuFacts, durationNs });
}

function recordingsIn(events: readonly JsonObject[]): Recording[] {
  const found = new Map<string, Recording>();
  const recordingOf = ({ pid, tid, id }: JsonObject) => {
    const key = `${pid} ${id}`;
    const made = found.get(key) ?? {
      process: pid,
      thread: tid,
      nodes: [],
      samples: { ids: [], deltas: [], lines: [] },
    };
    found.set(key, made);
    return made;
  };
  for (const event of events) {
    const { name, pid, tid, args } = event;
    if (name !== "Profile" && name !== "ProfileChunk" && name !== "CpuProfile") continue;
    const part = objectOr(objectOr(args).data);
    const whole = name === "CpuProfile";
    const recording = recordingOf(whole ? { pid, tid, id: `thread ${tid}` } : event);
    // Another thread writes the chunks.
    if (name === "Profile") recording.thread = tid;
    else addPart(recording, part);
  }
  return [...found.values()];
}

function addPart({ nodes, samples }: Recording, part: JsonObject): void {
  const profile = objectOr(part.cpuProfile);
  for (const node of listOr(profile.nodes)) nodes.push(objectIn(node, "cpuProfile.nodes"));
  const deltas = listOr(part.timeDeltas ?? profile.timeDeltas);
  const lines = listOr(part.lines ?? profile.lines);
  for (const [at, id] of listOr(profile.samples).entries()) {
    samples.ids.push(id);
    samples.deltas.push(deltas[at]);
    samples.lines.push(lines[at]);
  }
}

/** Of threads by process and thread, of processes by their number. */
function namesIn(events: readonly JsonObject[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { ph, name, pid, tid, args } of events) {
    if (ph !== "M") continue;
    const text = textOr(objectOr(args).name);
    if (name === "thread_name") names.set(`${pid} ${tid}`, text);
    if (name === "process_name") names.set(`${pid}`, text);
  }
  return names;
}
