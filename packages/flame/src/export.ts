// Files of a view, which the web app writes when one is asked for.
export { type ExportedView, leftOutName, measuresOf } from "./export/exported-view.ts";
export { htmlPage, type PageGraph } from "./export/html-page.ts";
export { pprofBytes } from "./export/pprof.ts";
export { speedscopeJson } from "./export/speedscope.ts";
export { viewStacks } from "./export/view-stacks.ts";
