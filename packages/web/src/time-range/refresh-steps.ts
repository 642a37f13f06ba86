/** How often a page reads again: flame graphs and figures that cost as much, and shorter answers. */
export const refreshSteps = { graphMs: 60_000, listMs: 15_000 } as const;
