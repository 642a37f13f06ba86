// Comparisons: a separate entry point, so that pages with one graph do not load it.
export { changeLegend, changePalette, changeStep } from "./colour/change.ts";
export { buildComparison } from "./compare/build-comparison.ts";
export {
  type Comparison,
  dividedBy,
  type Scale,
  type SideValues,
  shareScale,
  unscaled,
} from "./compare/comparison.ts";
export {
  type ChangeColumn,
  type ChangeKind,
  changeColumns,
  changeKind,
  changesByOwner,
  changeValue,
  type FunctionChanges,
  functionChanges,
  sortedChanges,
} from "./compare/function-changes.ts";
export { type ComparedTree, layOut, type WidthSide } from "./compare/lay-out.ts";
export { matchedTotals } from "./compare/matched-totals.ts";
export { comparisonAt } from "./compare/part-of-comparison.ts";
export { pruneComparison } from "./compare/prune-comparison.ts";
export { comparisonJson } from "./text/comparison-json.ts";
export { comparedLines } from "./text/folded.ts";
export {
  type ComparisonMeta,
  comparisonMediaType,
  type Normalisation,
  type SideMeta,
} from "./wire/comparison-meta.ts";
export { decodeComparison } from "./wire/decode-comparison.ts";
export { encodeComparison } from "./wire/encode-comparison.ts";
