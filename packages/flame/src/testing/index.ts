export { arbitraryStacks } from "./arbitrary-stacks.ts";
export { compared } from "./compared.ts";
export { drawComparison, drawTree } from "./draw-tree.ts";
export { stacksFrom, stacksOf } from "./stacks-of.ts";
export { type SyntheticSize, syntheticStacks } from "./synthetic-stacks.ts";
export { figuresOfStacks, wrongFigures } from "./wrong-figures.ts";
