// Export formats: loaded when somebody exports.

export { htmlPage, type PageGraph } from "./export/html-page.ts";
export { pprofBytes } from "./export/pprof.ts";
export { speedscopeJson } from "./export/speedscope.ts";
export { type ExportedView, measuresOf, viewStacks } from "./export/view-stacks.ts";
