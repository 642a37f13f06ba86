import type { Comparison, Scale, SideValues } from "#compare/comparison.ts";
import { changeKind, changeValue, functionChanges, sortedChanges } from "#compare/function-changes.ts";
import { layOut } from "#compare/lay-out.ts";
import { pruneComparison } from "#compare/prune-comparison.ts";
import { fullNames } from "#text/function-names.ts";
import type { ComparisonMeta, Normalisation, SideMeta } from "#wire/comparison-meta.ts";

export interface ComparisonJsonLimits {
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
  comparison: Comparison,
  meta: ComparisonMeta,
  { maxNodes, maxFunctions, isPart }: ComparisonJsonLimits,
) {
  const [normalisation] = meta.normalisations;
  const scale = { before: 1 / normalisation.before, after: 1 / normalisation.after };
  const { valueType, elisions: left, ...pruned } = pruneComparison(comparison, scale, maxNodes);
  // The sums of a tree are rounded, the sums of the sides are not.
  const totals = (side: SideMeta, { total }: SideValues) =>
    isPart ? [...total] : [side.total, ...total.subarray(1)];
  const { functions, total } = mostChanged(comparison, scale, maxFunctions, isPart);
  return {
    type: meta.type,
    hash: meta.hash,
    sample_type: { type: valueType.type, unit: valueType.unit },
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
      names: fullNames(pruned.functions),
      name: [...pruned.fn],
      parent: [...pruned.parent],
      line: [...pruned.line],
      self_before: [...pruned.before.self],
      self_after: [...pruned.after.self],
      total_before: totals(meta.before, pruned.before),
      total_after: totals(meta.after, pruned.after),
    },
    elisions: Array.from(left.node, (node, row) => ({
      node,
      count: left.count[row],
      before: left.before[row],
      after: left.after[row],
    })),
  };
}

function mostChanged(comparison: Comparison, scale: Scale, limit: number, isPart: boolean) {
  const tree = layOut(comparison, scale);
  const changes = functionChanges(tree);
  const { name, packageName, file, startLine } = tree.functions;
  const value = (column: "selfChange" | "totalChange", fn: number) => changeValue(changes, scale, column, fn);
  const order = sortedChanges(tree, changes, { column: "name", isDescending: false }, isPart);
  const size = Float64Array.from(name, (_, fn) => Math.abs(value("selfChange", fn)));
  const totalSize = Float64Array.from(name, (_, fn) => Math.abs(value("totalChange", fn)));
  const listed = order.sort((a, b) => size[b] - size[a] || totalSize[b] - totalSize[a]).subarray(0, limit);
  const functions = Array.from(listed, (fn) => ({
    function_name: name[fn],
    package_name: packageName[fn],
    file_name: file[fn],
    line_number: startLine[fn],
    self_before: changes.selfBefore[fn],
    self_after: changes.selfAfter[fn],
    self_change: value("selfChange", fn),
    total_before: changes.totalBefore[fn],
    total_after: changes.totalAfter[fn],
    total_change: value("totalChange", fn),
    change: changeKind(changes.totalBefore[fn] * scale.before, changes.totalAfter[fn] * scale.after),
  }));
  return { functions, total: order.length };
}

function sideJson({ profileId, durationMs, profiles, labels = {}, ...side }: SideMeta) {
  return { profile_id: profileId, ...side, labels, profiles_merged: profiles, duration_ms: durationMs };
}

function normalisationJson({ per, before, after }: Normalisation) {
  return { per, before_divisor: before, after_divisor: after };
}
