import { fullNames } from "#text/function-names.ts";
import type { CallTree } from "#tree/call-tree.ts";
import { changeKind, functionValue, sortedFunctions, totalsByColumn } from "#tree/function-totals.ts";
import { layOut } from "#tree/lay-out.ts";
import { pruneTree } from "#tree/prune.ts";
import type { ComparisonMeta, Normalisation, SideMeta } from "#wire/comparison-meta.ts";

interface ComparisonJsonLimits {
  readonly maxNodes: number;
  readonly maxFunctions: number;
  /** Whether the comparison is a part of the one whose totals are in `meta`. */
  readonly isPart: boolean;
}

/**
 * The comparison as plain data for JSON: the functions whose self value changed most, then the nodes as columns in breadth-first order, which
 * have no depth that a reader could fail at. The functions are of all nodes, also of those that the limit leaves out.
 */
export function comparisonJson(
  comparison: CallTree,
  meta: ComparisonMeta,
  { maxNodes, maxFunctions, isPart }: ComparisonJsonLimits,
) {
  const [normalisation] = meta.normalisations;
  const drawn = layOut(comparison, [1 / normalisation.before, 1 / normalisation.after]);
  const tree =
    comparison.length <= maxNodes ? comparison : pruneTree(drawn, { maxNodes: Math.max(1, maxNodes) });
  const [before, after] = tree.columns;
  // The sums of a tree are rounded, the sums of the sides are not.
  const totals = (side: SideMeta, total: Float64Array) =>
    isPart ? [...total] : [side.total, ...total.subarray(1)];
  const { functions, total } = mostChanged(drawn, maxFunctions, isPart);
  return {
    type: meta.type,
    hash: meta.hash,
    sample_type: { type: tree.valueType.type, unit: tree.valueType.unit },
    sample_types: meta.sampleTypes,
    aggregation: meta.aggregation,
    before: sideJson(meta.before),
    after: sideJson(meta.after),
    normalisation: normalisationJson(normalisation),
    normalisations: meta.normalisations.map(normalisationJson),
    no_requests: meta.noRequests,
    functions,
    function_count: total,
    nodes: {
      names: fullNames(tree.functions),
      name: [...tree.fn],
      parent: [...tree.parent],
      line: [...tree.line],
      self_before: [...before.self],
      self_after: [...after.self],
      total_before: totals(meta.before, before.total),
      total_after: totals(meta.after, after.total),
    },
    elisions: Array.from(tree.elisions.node, (node, row) => ({
      node,
      count: tree.elisions.count[row],
      before: before.elided[row],
      after: after.elided[row],
    })),
  };
}

function mostChanged(tree: CallTree, limit: number, isPart: boolean) {
  const sums = totalsByColumn(tree);
  const [before, after] = sums;
  const { name, packageName, file, startLine } = tree.functions;
  const change = (value: "self" | "total", fn: number) =>
    functionValue(sums, tree.scale, { value, of: 1, minus: 0 }, fn);
  const order = sortedFunctions(tree, sums, "name", false, isPart);
  const size = Float64Array.from(name, (_, fn) => Math.abs(change("self", fn)));
  const totalSize = Float64Array.from(name, (_, fn) => Math.abs(change("total", fn)));
  const listed = order.sort((a, b) => size[b] - size[a] || totalSize[b] - totalSize[a]).subarray(0, limit);
  const functions = Array.from(listed, (fn) => ({
    function_name: name[fn],
    package_name: packageName[fn],
    file_name: file[fn],
    line_number: startLine[fn],
    self_before: before.self[fn],
    self_after: after.self[fn],
    self_change: change("self", fn),
    total_before: before.total[fn],
    total_after: after.total[fn],
    total_change: change("total", fn),
    change: changeKind(before.total[fn] * tree.scale[0], after.total[fn] * tree.scale[1]),
  }));
  return { functions, total: order.length };
}

function sideJson({ profileId, durationMs, profiles, labels = {}, ...side }: SideMeta) {
  return { profile_id: profileId, ...side, labels, profiles_merged: profiles, duration_ms: durationMs };
}

function normalisationJson({ per, before, after }: Normalisation) {
  return { per, before_divisor: before, after_divisor: after };
}
