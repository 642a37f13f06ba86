import { growthRule } from "#rules/heap.ts";

/** In programs of all languages but Go, whose rules tell more. */
export const growingMemory = growthRule({
  id: "growing-memory",
  name: "Memory that grew since an earlier profile",
  looksAt: "Memory in use that grew by half since an earlier profile, in languages other than Go.",
  issue: ({ where, share }) => `${where} holds ${share} and grows: find what keeps it`,
  solution: ({ where }) =>
    `Look at what ${where} puts into maps, lists and listeners that live as long as the process: limit their size or age, and remove entries when their owner ends.`,
});
