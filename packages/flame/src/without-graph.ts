export { functionKey } from "@flamekeep/profile";
// A separate entry point, so that pages without a graph load nothing else of the package.
export { functionNames, shortFunctionName } from "./text/function-names.ts";
export { shownName } from "./text/label.ts";
export { withoutFrameRefs } from "./view/frame-refs.ts";
