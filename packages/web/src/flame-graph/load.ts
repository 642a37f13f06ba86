import { importOnce } from "#api/import-page.ts";

/** Loads the code of the graph, once. A page that shows it asks for it while its own code is still on its way. */
export const loadFlameGraph = importOnce(async () => (await import("./flame-graph.tsx")).FlameGraph);
