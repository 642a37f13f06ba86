// Transforms of trees: loaded with the first one that somebody applies.
export { type BothSides, sandwichTree, transformTree } from "./transform/apply.ts";
export { chainOf, chainText, withoutTransform, withTransform } from "./transform/chain.ts";
export { moduleOf, ownModules } from "./transform/target.ts";
export type { Target, TargetKind, Transform, TransformName } from "./transform/transform.ts";
