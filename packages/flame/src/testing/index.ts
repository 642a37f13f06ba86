export { arbitraryStacks } from "./arbitrary-stacks.ts";
export { drawTree } from "./draw-tree.ts";
export { stacksFrom, stacksOf } from "./stacks-of.ts";
