// Comparisons: a separate entry point, so that pages with one graph do not load it.
export {
  type ChangeColouring,
  changeLegend,
  changePalette,
  largestSelfChange,
  selfChangeColours,
  selfChangeParts,
  totalChangeColours,
} from "./colour/change.ts";
export { comparisonJson } from "./text/comparison-json.ts";
export { type ChangeKind, changeKind } from "./tree/function-totals.ts";
export { dividedBy, shareScale } from "./tree/lay-out.ts";
export {
  type ChangedFunction,
  callersOf,
  explanationOf,
  type WhatChanged,
  whatChanged,
  whatChangedSteps,
} from "./tree/what-changed.ts";
export {
  type ComparisonMeta,
  comparisonMediaType,
  decodeComparison,
  type Normalisation,
  type SideMeta,
} from "./wire/comparison-meta.ts";
