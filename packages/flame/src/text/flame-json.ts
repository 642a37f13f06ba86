import type { Bytes } from "@flamekeep/profile";
import { heatPalette, heatStep } from "#colour/scheme.ts";
import {
  type CallTree,
  depthOf,
  elisionOf,
  type FunctionTable,
  type TreeValue,
  wholeOf,
} from "#tree/call-tree.ts";
import { pruneTree } from "#tree/prune.ts";
import type { FlameMeta, MergeMeta } from "#wire/sections.ts";
import { toUtf8 } from "#wire/utf8.ts";
import { AsciiWriter, numberBytesMax, phraseBytesMore, phraseOf } from "./ascii-writer.ts";
import { searchIndexText } from "./search-index.ts";

export interface FlameJsonLimits {
  /** Default 16,384. */
  readonly maxNodes?: number;
  /** Default 512. Node ids spell out the path, so the text grows with the square of the depth. */
  readonly maxDepth?: number;
  /** Default 128 MiB: names may be long, and each node has its own in full. */
  readonly maxBytes?: Bytes;
  /** Adds `search_index`, which has every node again. */
  readonly hasSearchIndex?: boolean;
}

/**
 * The nested flame graph as JSON text in UTF-8, made without recursion. Written as bytes: pieces of text that are joined,
 * flattened and encoded take a quarter longer, and leave megabytes to collect. Frames that do not fit the limits are
 * counted at their parent as `elided_count` and `elided_value`; `elided_nodes` at the top is the sum of the counts.
 */
export function flameJson(
  tree: CallTree,
  meta: FlameMeta,
  limits: FlameJsonLimits = {},
): Uint8Array<ArrayBuffer> {
  const { pruned, functions } = fitting(tree, limits);
  const head = JSON.stringify(headFields(pruned, meta));
  // The sum of a part is that of its frames. The total of a whole profile is exact beyond 2^53.
  const total = tree.whole === undefined ? meta.totalSamples : pruned.total[0];
  const graph = withNodes(toUtf8(`${head.slice(0, -1)},"root":`), pruned, functions, total);
  if (limits.hasSearchIndex !== true) return graph;
  const index = toUtf8(`,"search_index":${searchIndexText(pruned, total, percentOf)}}`);
  const both = new Uint8Array(graph.length - 1 + index.length);
  both.set(graph.subarray(0, -1));
  both.set(index, graph.length - 1);
  return both;
}

/** Facts about the graph. */
export function headFields(tree: CallTree, meta: FlameMeta) {
  return {
    profile_id: meta.profileId,
    total_samples: meta.totalSamples,
    duration_ms: meta.durationMs,
    profile_hash: meta.profileHash,
    sample_type: { type: tree.valueType.type, unit: tree.valueType.unit },
    elided_nodes: tree.elisions.count.reduce((sum, count) => sum + count, 0),
    ...(meta.merge === undefined ? {} : mergeFields(meta.merge)),
  };
}

/** The tree within the limits, and the first bytes of each function's nodes. */
function fitting(
  tree: CallTree,
  {
    maxNodes = 16_384,
    maxDepth = 512,
    maxBytes: allBytes = 128 * 1024 * 1024,
    hasSearchIndex = false,
  }: FlameJsonLimits,
): { pruned: CallTree; functions: Uint8Array[] } {
  const maxBytes = hasSearchIndex ? allBytes / 2 : allBytes;
  let pruned = pruneTree(tree, { maxNodes: Math.max(1, maxNodes), maxDepth: Math.max(1, maxDepth) });
  for (;;) {
    const functions = functionFields(pruned.functions);
    if (pruned.length === 1 || bytesOf(pruned, functions) <= maxBytes) return { pruned, functions };
    // Halved, because the excess does not show how many nodes to remove: the widest ones may have the longest names.
    pruned = pruneTree(pruned, { maxNodes: pruned.length >> 1 });
  }
}

/** Bytes of a node without its function and id. */
const valuesBytes = 320;

/** About how much text the nodes are. */
function bytesOf({ length, fn, parent, firstChild }: CallTree, functions: readonly Uint8Array[]): number {
  const idLength = new Uint32Array(length);
  let bytes = 0;
  for (let node = 0; node < length; node++) {
    const above = parent[node];
    idLength[node] = above < 0 ? root.length : idLength[above] + 1 + digits(node - firstChild[above]);
    bytes += functions[fn[node]].length + idLength[node] + valuesBytes;
  }
  return bytes;
}

function digits(whole: number): number {
  let count = 1;
  for (let rest = whole; rest >= 10; rest /= 10) count++;
  return count;
}

function mergeFields({ profilesMerged, sampleTypes, groupByLabel, labels = {}, ...merge }: MergeMeta) {
  return {
    ...merge,
    profiles_merged: profilesMerged,
    sample_types: sampleTypes,
    labels,
    group_by_label: groupByLabel ?? null,
  };
}

const comma = 0x2c;
const underscore = 0x5f;

/** The text before each value of a node: comma and name. */
const key = {
  line: phraseOf(',"line_number":'),
  self: phraseOf(',"self_value":'),
  total: phraseOf(',"total_value":'),
  selfShare: phraseOf(',"self_percent":'),
  totalShare: phraseOf(',"total_percent":'),
  samples: phraseOf(',"sample_count":'),
  x: phraseOf(',"x":'),
  width: phraseOf(',"width":'),
  depth: phraseOf(',"depth":'),
  id: phraseOf(',"node_id":"'),
  colour: phraseOf('","color":"'),
  elidedCount: phraseOf('","elided_count":'),
  elidedValue: phraseOf(',"elided_value":'),
  children: phraseOf('","children":['),
  childrenAfterElision: phraseOf(',"children":['),
};
const root = phraseOf("root");
const endOfNode = phraseOf("]}");
const end = phraseOf("}");
const colours = heatPalette.light.map(phraseOf);
const phrases = [...Object.values(key), root, colours[0], endOfNode, end];
/** A node without its function and the id of its parent, the end of a node and of all. */
const nodeBytesMax =
  phrases.reduce((sum, { length }) => sum + length, 0) + 12 * numberBytesMax + phraseBytesMore + 2;

/** `head`, the nodes from the root on, and the end of both. */
function withNodes(
  head: Uint8Array,
  tree: CallTree,
  functions: readonly Uint8Array[],
  total: number,
): Uint8Array<ArrayBuffer> {
  const whole = wholeOf(tree);
  const { firstChild } = tree;
  // The path from the root to the current node: nodes, the next child of each, and the position of its id.
  const levels = depthOf(tree);
  const open = new Uint32Array(levels);
  const next = new Uint32Array(levels);
  const idFrom = new Float64Array(levels);
  const idTo = new Float64Array(levels);
  const out = new AsciiWriter(head.length + 512 * (tree.length + 1));
  let depth = -1;

  const enter = (node: number) => {
    const named = functions[tree.fn[node]];
    out.makeRoom(named.length + (depth < 0 ? 0 : idTo[depth] - idFrom[depth]) + nodeBytesMax);
    out.bytes(named);
    writeValues(out, tree, node, { whole, total });
    out.phrase(key.depth);
    out.number(depth + 1);
    out.phrase(key.id);
    const from = out.at;
    if (depth < 0) out.phrase(root);
    else {
      out.again(idFrom[depth], idTo[depth]);
      out.byte(underscore);
      out.number(node - firstChild[open[depth]]);
    }
    depth++;
    open[depth] = node;
    next[depth] = firstChild[node];
    idFrom[depth] = from;
    idTo[depth] = out.at;
    writeEnd(out, tree, node, whole);
  };

  out.bytes(head);
  enter(0);
  while (depth >= 0) {
    const node = open[depth];
    const child = next[depth];
    if (child === firstChild[node + 1]) {
      out.makeRoom(nodeBytesMax);
      out.phrase(endOfNode);
      depth--;
      continue;
    }
    next[depth] = child + 1;
    if (child > firstChild[node]) out.byte(comma);
    enter(child);
  }
  out.phrase(end);
  return out.finish();
}

/** The root has the total of the profile: a sum of doubles beyond 2^53 may differ from it. */
function writeValues(
  out: AsciiWriter,
  tree: CallTree,
  node: number,
  all: { readonly whole: number; readonly total: number },
): void {
  const { whole } = all;
  const { total, self, width, x } = tree;
  out.phrase(key.line);
  out.number(tree.line[node] || tree.functions.startLine[tree.fn[node]]);
  out.phrase(key.self);
  out.number(self[node]);
  out.phrase(key.total);
  out.number(node === 0 ? all.total : total[node]);
  out.phrase(key.selfShare);
  out.millionths(percentMillionths(self[node], whole));
  out.phrase(key.totalShare);
  out.millionths(percentMillionths(total[node], whole));
  out.phrase(key.samples);
  out.number(tree.samples[node]);
  out.phrase(key.x);
  out.millionths(percentMillionths(x[node], width[0]));
  out.phrase(key.width);
  out.millionths(percentMillionths(width[node], width[0]));
}

/** The text after the id. */
function writeEnd(out: AsciiWriter, tree: CallTree, node: number, whole: number): void {
  out.phrase(key.colour);
  out.phrase(colours[heatStep(percentMillionths(tree.total[node], whole) / million)]);
  const elision = elisionOf(tree, node);
  if (elision === -1) {
    out.phrase(key.children);
    return;
  }
  out.phrase(key.elidedCount);
  out.number(tree.elisions.count[elision]);
  out.phrase(key.elidedValue);
  out.number(tree.elisions.total[elision]);
  out.phrase(key.childrenAfterElision);
}

/** The first bytes of all nodes of a function: names are escaped and encoded once, not for each node. */
function functionFields({ name, packageName, file, startLine }: FunctionTable): Uint8Array[] {
  const texts = name.map(
    (each, fn) =>
      `{"function_name":${quoted(each)},"package_name":${quoted(packageName[fn])},"file_name":${quoted(file[fn])},"start_line":${startLine[fn]}`,
  );
  // Encoding all at once is several times faster, and where all is ASCII the places of texts and bytes are the same.
  const all = texts.join("");
  const bytes = toUtf8(all);
  if (bytes.length !== all.length) return texts.map(toUtf8);
  let at = 0;
  return texts.map(({ length }) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
}

/** Control characters, quotes, backslashes and surrogates. */
const escapePattern = /["\\\p{Cc}\p{Cs}]/u;

function quoted(text: string): string {
  return escapePattern.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const million = 1_000_000;

function percentOf(part: TreeValue, whole: TreeValue): number {
  return percentMillionths(part, whole) / million;
}

/** Millionths of a percent are finer than any screen, and whole numbers become text much faster than fractions. */
function percentMillionths(part: TreeValue, whole: TreeValue): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100 * million);
}
