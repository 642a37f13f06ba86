// A separate entry point, so that pages without a graph load nothing else of the package, and nothing of the profile package.
export { shortFunctionName, shownName } from "./text/label.ts";
export { withoutFrameRefs } from "./view/frame-refs.ts";
export { previewEnd, previewIn } from "./wire/preview-in.ts";
