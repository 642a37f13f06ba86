// Export formats: loaded when somebody exports.
export { type ExportedView, leftOutName, measuresOf } from "./export/exported-view.ts";
export { htmlPage, type PageGraph } from "./export/html-page.ts";
export { pprofBytes } from "./export/pprof.ts";
export { speedscopeJson } from "./export/speedscope.ts";
export { viewStacks } from "./export/view-stacks.ts";
