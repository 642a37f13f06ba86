import { heatColour } from "#colour/heat.ts";
import { type CallTree, elisionOf } from "#tree/call-tree.ts";
import { pruneTree } from "#tree/prune.ts";
import type { FlameMeta, MergeMeta } from "#wire/sections.ts";

export interface FlameJsonLimits {
  /** Default 16,384. */
  readonly maxNodes?: number;
  /** Default 512. Node ids spell out the path, so the text grows with the square of the depth. */
  readonly maxDepth?: number;
}

/** Characters of a piece. */
const pieceLength = 1 << 16;

/**
 * The nested flame graph as JSON text, made without recursion, in pieces: one text of megabytes is garbage that no
 * quick collection takes. Frames that do not fit the limits are counted at their parent as `elided_count` and
 * `elided_value`; `elided_nodes` at the top is the sum of the counts.
 */
export function* flameJson(tree: CallTree, meta: FlameMeta, limits: FlameJsonLimits = {}): Generator<string> {
  const { maxNodes = 16_384, maxDepth = 512 } = limits;
  const pruned = pruneTree(tree, { maxNodes: Math.max(1, maxNodes), maxDepth: Math.max(1, maxDepth) });
  const head = JSON.stringify({
    profile_id: meta.profileId,
    total_samples: meta.totalSamples,
    duration_ms: meta.durationMs,
    profile_hash: meta.profileHash,
    sample_type: { type: pruned.valueType.type, unit: pruned.valueType.unit },
    elided_nodes: pruned.elisions.count.reduce((sum, count) => sum + count, 0),
    ...(meta.merge === undefined ? {} : mergeFields(meta.merge)),
  });
  yield `${head.slice(0, -1)},"root":`;
  yield* nestedNodes(pruned);
  yield "}";
}

function mergeFields({ profilesMerged, sampleTypes, ...merge }: MergeMeta) {
  return { ...merge, profiles_merged: profilesMerged, sample_types: sampleTypes };
}

function* nestedNodes(tree: CallTree): Generator<string> {
  const functionTexts = functionFields(tree);
  let piece = "";
  const open: { node: number; next: number; id: string }[] = [];
  const enter = (node: number, id: string) => {
    piece += functionTexts[tree.fn[node]!]! + nodeFields(tree, node, open.length, id);
    open.push({ node, next: tree.firstChild[node]!, id });
  };
  enter(0, "root");
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const first = tree.firstChild[top.node]!;
    if (top.next === tree.firstChild[top.node + 1]!) {
      piece += "]}";
      open.pop();
      continue;
    }
    const child = top.next++;
    if (child > first) piece += ",";
    if (piece.length > pieceLength) {
      yield piece;
      piece = "";
    }
    enter(child, `${top.id}_${child - first}`);
  }
  yield piece;
}

/** What all nodes of a function begin with: names are escaped once and not for each. */
function functionFields({ functions }: CallTree): string[] {
  return functions.name.map((name, fn) => {
    const fields = {
      function_name: name,
      package_name: functions.packageName[fn],
      file_name: functions.file[fn],
    };
    return JSON.stringify(fields).slice(0, -1);
  });
}

/** The rest of a node, up to its children. Numbers and our own words need no escaping. */
function nodeFields(tree: CallTree, node: number, depth: number, id: string): string {
  const { total, self, width } = tree;
  const whole = total[0]!;
  const share = shareOf(total[node]!, whole);
  const line = tree.line[node] || tree.functions.startLine[tree.fn[node]!];
  const elision = elisionOf(tree, node);
  const elided =
    elision === -1
      ? ""
      : `,"elided_count":${tree.elisions.count[elision]},"elided_value":${tree.elisions.total[elision]}`;
  const values = `,"line_number":${line},"self_value":${self[node]},"total_value":${total[node]}`;
  const shares = `,"self_percent":${percentText(shareOf(self[node]!, whole))},"total_percent":${percentText(share)}`;
  const place = `,"sample_count":${tree.samples[node]},"x":${percentText(shareOf(tree.x[node]!, width[0]!))},"width":${percentText(shareOf(width[node]!, width[0]!))}`;
  const look = `,"depth":${depth},"node_id":"${id}","color":"${heatColour(share / million, "light")}"`;
  return `${values}${shares}${place}${look}${elided},"children":[`;
}

const million = 1_000_000;

/**
 * Percent in text, six decimals: a millionth of a percent is below any box on any screen. Made of whole numbers, which
 * become text four times as fast as fractions do.
 */
function percentText(millionths: number): string {
  const rest = Math.abs(millionths % million);
  const sign = millionths < 0 ? "-" : "";
  const whole = Math.floor(Math.abs(millionths) / million);
  return rest === 0 ? `${sign}${whole}` : `${sign}${whole}.${`${million + rest}`.slice(1)}`;
}

/** In millionths of a percent. */
function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100 * million);
}
