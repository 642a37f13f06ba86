import { buildCallTree, buildComparison, fullNames, pruneTree } from "@flamekeep/flame";
import { type StackTable, WireWriter } from "@flamekeep/profile";
import { type Opened, tryOpening } from "#stacks/open-profile.ts";
import { type Resolved, type StoredStacks, tableOf } from "#stacks/ranges/stored-stacks.ts";
import { dotText } from "./graph/dot.ts";
import { flameGraphMessage } from "./graph/flame-message.ts";
import { type Levels, levelsOf } from "./graph/levels.ts";
import {
  belowCallSite,
  innermostFrames,
  profileMessage,
  profileOfColumn,
  type StackParts,
} from "./graph/pprof-message.ts";
import { treeBytes } from "./graph/tree-bytes.ts";
import {
  type SpanSelection,
  type SpanSums,
  spanStacks,
  spanSums,
  type TracedProfiles,
} from "./span-stacks.ts";

// These functions run in the decoding thread.

export interface GraphTask {
  readonly stored: StoredStacks;
  /** For each stored column: 0, or 1 for the second side of a comparison. */
  readonly sides: readonly number[];
  readonly sideCount: 1 | 2;
  readonly nodesMax: number;
  readonly parts: StackParts;
}

type Drawing = Pick<GraphTask, "nodesMax" | "parts" | "sideCount">;

/** How a reply has the stacks. */
export interface ReplyForm {
  readonly format: "flamegraph" | "tree" | "dot" | "pprof" | "profile";
  readonly isJson: boolean;
  readonly timeMs: number;
  readonly durationMs: number;
  readonly periodType: { readonly type: string; readonly unit: string };
}

/** The sums of the columns of each side. */
function summed(
  { stored, sides, sideCount }: GraphTask,
  { value: stacks }: { value: StackTable },
): StackTable {
  const values = Array.from({ length: sideCount }, () => new Float64Array(stacks.length));
  for (const [at, column] of stacks.values.entries()) {
    const sum = values[sides[at]!]!;
    for (let stack = 0; stack < sum.length; stack++) sum[stack]! += Number(column[stack]);
  }
  const type = stored.columns[0]!.sampleType;
  return { ...stacks, sampleTypes: values.map(() => type), values };
}

function treeOf(stacks: StackTable, { nodesMax, sideCount }: Drawing) {
  const whole = sideCount === 2 ? buildComparison(stacks) : buildCallTree(stacks, 0);
  return pruneTree(whole, { maxNodes: nodesMax });
}

/** Rows of a flame graph. */
export function graphLevels(task: GraphTask): Resolved<Levels> {
  const found = tableOf(task.stored);
  if (found.missing !== undefined) return found;
  const stacks = belowCallSite(summed(task, found), task.parts.callSite);
  const tree = treeOf(stacks, task);
  return { missing: undefined, value: levelsOf(tree, fullNames(tree.functions)) };
}

/** A reply with the stacks in the form that was asked for. */
export function graphReply(task: GraphTask & ReplyForm): Resolved<Uint8Array> {
  const found = tableOf(task.stored);
  if (found.missing !== undefined) return found;
  const stacks = belowCallSite(summed(task, found), task.parts.callSite);
  return { missing: undefined, value: replyOf(stacks, task) };
}

function replyOf(stacks: StackTable, task: Drawing & ReplyForm): Uint8Array {
  const { format, isJson } = task;
  if (format === "pprof" || format === "profile") {
    const profile = profileOfColumn(innermostFrames(stacks, task.parts), {
      timeNs: BigInt(task.timeMs) * 1_000_000n,
      durationNs: BigInt(task.durationMs) * 1_000_000n,
      periodType: task.periodType,
      defaultSampleType: stacks.sampleTypes[0]!.type,
    });
    const message = profileMessage(profile, isJson);
    return format === "profile"
      ? message
      : nested([5, 1], message, isJson ? ["pprof", "profile"] : undefined);
  }
  const tree = treeOf(stacks, task);
  const names = fullNames(tree.functions);
  if (format === "dot") {
    const text = dotText(tree, names, task.nodesMax);
    return isJson ? jsonBytes({ dot: text }) : nested([3], Buffer.from(text), undefined);
  }
  const levels = levelsOf(tree, names);
  if (format === "flamegraph") return flameGraphMessage(levels, isJson);
  const bytes = treeBytes(levels);
  return isJson ? jsonBytes({ tree: Buffer.from(bytes).toString("base64") }) : nested([2], bytes, undefined);
}

/** Puts bytes into fields of messages, the outermost first; in JSON under their names. */
function nested(
  fields: readonly number[],
  bytes: Uint8Array,
  names: readonly string[] | undefined,
): Uint8Array {
  if (names !== undefined) {
    const open = names.map((name) => `{"${name}":`).join("");
    return Buffer.concat([Buffer.from(open), bytes, Buffer.from("}".repeat(names.length))]);
  }
  const wire = new WireWriter();
  const write = ([field, ...inner]: readonly number[]): void => {
    if (field === undefined) wire.raw(bytes);
    else wire.block(field, () => write(inner));
  };
  write(fields);
  return wire.toBytes();
}

function jsonBytes(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** The text of a graph in the language of Graphviz. */
export function graphDot(task: GraphTask): Resolved<string> {
  const found = tableOf(task.stored);
  if (found.missing !== undefined) return found;
  const tree = treeOf(summed(task, found), task);
  return { missing: undefined, value: dotText(tree, fullNames(tree.functions), task.nodesMax) };
}

/** A reply with the stacks of spans, from the bytes of profiles. */
export function spanReply(task: Drawing & ReplyForm & SpanSelection): Opened<Uint8Array> {
  return tryOpening(() => replyOf(belowCallSite(spanStacks(task), task.parts.callSite), task));
}

/** For each profile the sums of its spans. */
export function sumsOfSpans(task: TracedProfiles): Opened<SpanSums[]> {
  return tryOpening(() => spanSums(task));
}
