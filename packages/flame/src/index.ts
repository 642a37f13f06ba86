export { heatColour, heatPalette, heatStep } from "./colour/heat.ts";
export type { Theme } from "./colour/theme.ts";
export { type FlameJsonLimits, toFlameJson } from "./text/flame-json.ts";
export { buildCallTree } from "./tree/build-call-tree.ts";
export {
  type CallTree,
  depthOf,
  type ElisionTable,
  elisionOf,
  type FunctionTable,
  levelOf,
  pathTo,
} from "./tree/call-tree.ts";
export { type PruneLimits, pruneTree } from "./tree/prune.ts";
export { FlameGraphFormatError } from "./wire/byte-reader.ts";
export { decodeFlameGraph, type FlameGraph } from "./wire/decode.ts";
export { encodeFlameGraph } from "./wire/encode.ts";
export { type FlameMeta, flameGraphMediaType } from "./wire/sections.ts";
