import { shareRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";
import { callersText } from "#rules/text.ts";

const collecting = functions(
  "(garbage collector)",
  "Garbage Collection",
  ":(garbage collector):0",
  ":Garbage Collection:0",
);

export const nodeGarbage = shareRule({
  id: "node-garbage-collection",
  name: "Much garbage collection in Node",
  category: "memory_optimization",
  types: ["cpu", "custom"],
  isWholeProgram: true,
  isConsequence: true,
  hasGuessedCause: true,
  looksAt:
    "Time in V8's garbage collector. It does not show who allocates: the functions that run most are named.",
  select: ({ main }) => main.through(collecting),
  cause: (_, { main }) => main.byApplication(),
  from: { low: 0.12, medium: 0.25, high: 0.5 },
  confidence: 0.6,
  saves: 0.5,
  issue: ({ share }) => `Garbage collection takes ${share}: allocate less`,
  impact: ({ cost }) =>
    `It takes about ${cost}, while no request is served. V8 does not record which function allocates.`,
  solution: ({ cause }) =>
    `Send a heap profile to see who allocates. Without one, look at the functions that run most, ${callersText(cause)}: do not rebuild objects and arrays in loops (spread in reduce, concat, map after map), parse large texts once, and stream them. --max-semi-space-size=64 makes collections of short-lived objects rarer.`,
  example: `function byId(rows) {
  const found = {};
  // One object instead of a new one for each row ({ ...found, [row.id]: row }).
  for (const row of rows) found[row.id] = row;
  return found;
}
`,
});
