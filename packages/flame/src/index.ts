export { functionKey, truncatedName } from "@flamekeep/profile";
export { fromHex, mix, type Rgb, toHex } from "./colour/oklch.ts";
export {
  inkOn,
  type LegendEntry,
  legendOf,
  matchColour,
  nodeColours,
  paletteOf,
} from "./colour/scheme.ts";
export type { Theme } from "./colour/scheme-names.ts";
export { type Scheme, schemes } from "./colour/scheme-names.ts";
export { type NameQuery, nameQuery, queryFor, queryForPackage } from "./match/name-query.ts";
export { type FlameJsonLimits, flameJson } from "./text/flame-json.ts";
export { foldedLines } from "./text/folded.ts";
export { formatPercent, formatValue } from "./text/format-value.ts";
export { fullNames, functionNames } from "./text/function-names.ts";
export { charWidth, fitLabel, labelLength, pathlessName, shownName } from "./text/label.ts";
export { levelsJson } from "./text/levels-json.ts";
export { runText } from "./text/run-text.ts";
export { type SvgLayer, type SvgPicture, toSvg } from "./text/svg.ts";
export { buildCallTree, buildComparison, nodesMax } from "./tree/build-call-tree.ts";
export {
  type CallTree,
  depthOf,
  type ElisionTable,
  elisionOf,
  type FunctionTable,
  isCut,
  isRounded,
  levelOf,
  type NodeValues,
  pathTo,
  type Scale,
  type TreeColumns,
  wholeOf,
} from "./tree/call-tree.ts";
export { byInstantiation, byLine, byStoredFrame } from "./tree/function-index.ts";
export {
  type FunctionColumn,
  type FunctionTotals,
  functionTotals,
  functionValue,
  hottestFunction,
  type PackageSelf,
  packageSelfValues,
  packageTotals,
  selfByOwner,
  sortedFunctions,
  totalsByColumn,
  totalsByOwner,
} from "./tree/function-totals.ts";
export { type LaidOutTree, layOut } from "./tree/lay-out.ts";
export { type PruneLimits, pruneTree, subtreeAt } from "./tree/prune.ts";
export {
  type CallRows,
  callRows,
  hotPath,
  isOpenable,
  openedTo,
  placeOf,
  toggledNode,
} from "./view/call-rows.ts";
export {
  changeView,
  defaultFlameView,
  type FlameAction,
  type FlameLinkParams,
  type FlameView,
  fromLinkParams,
  isStep,
  type Pane,
  panes,
  toLinkParams,
  unzoomed,
  widestPlace,
} from "./view/flame-view.ts";
export { withoutFrameRefs } from "./view/frame-refs.ts";
export {
  type Contact,
  contactDown,
  contactMoved,
  contactUp,
  type Gesture,
  idle,
  type Motion,
} from "./view/gesture.ts";
export { isBelow, nodeAtRef, nodeIdOf, nodeNamed, nodeRefOf } from "./view/node-ref.ts";
export { fillPixelRows, type PixelRows } from "./view/pixel-rows.ts";
export {
  copyCount,
  hasMatchIn,
  matchesByWidth,
  type SearchResult,
  searchFunction,
  searchSteps,
  searchTree,
  suggestedFunctions,
  widerThanQuery,
} from "./view/search.ts";
export {
  type FramePath,
  type FunctionPlaces,
  framePathAt,
  functionNamed,
  functionRef,
  type NamedFrames,
  placesOf,
  refAtFramePath,
  zoomedNode,
} from "./view/selected-function.ts";
export { type Step, stepFrom } from "./view/selection.ts";
export {
  boxWidthMin,
  interpolate,
  panBy,
  panelHeight,
  rowHeight,
  topPadding,
  type Viewport,
  viewportOf,
  zoomAt,
  zoomDurationMs,
} from "./view/viewport.ts";
export { BoxList, type Hit, hitAt, listVisibleBoxes, type VisibleArea } from "./view/visible-boxes.ts";
export { FlameGraphFormatError } from "./wire/byte-reader.ts";
export {
  decodeColumns,
  decodeFlameGraph,
  decodeNames,
  decodePreview,
  type FlameGraph,
  joinFlameGraph,
} from "./wire/decode.ts";
export { encodeFlameGraph } from "./wire/encode.ts";
export { type FlameMeta, flameGraphMediaType, type MergeMeta } from "./wire/sections.ts";
