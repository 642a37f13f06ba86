import type { CallTree } from "@flamekeep/flame";
import { z } from "zod";
import { focusedOn, frameOf, treeText } from "#mcp/text/tree-text.ts";
import { graphFields, readGraph, unitOf } from "./graph.ts";
import { tool } from "./tool.ts";

export const flameGraphText = tool({
  name: "flame_graph",
  title: "Flame graph as text",
  description:
    "The call tree of a range or of one profile as indented text, callers above callees, with the share of each frame. `focus` shows what one function calls, all its places together.",
  input: z.object({
    ...graphFields,
    focus: z.string().max(500).optional().describe("Full name of a function, or a part of it."),
    limit: z.int().min(1).max(400).default(120).describe("Most lines to print."),
    min_percent: z.number().min(0).max(100).default(0.5).describe("Leaves out frames with a smaller share."),
  }),
  async run(read, input) {
    const found = await readGraph(read, input);
    if (typeof found === "string") return found;
    const { tree, about } = found;
    const root = input.focus === undefined ? frameOf(tree, [0]) : focusOf(tree, input.focus);
    if (root === undefined)
      return `No function of this profile has a name that contains ${JSON.stringify(input.focus)}.`;
    const options = {
      unit: unitOf(tree),
      total: tree.total[0]!,
      linesMax: input.limit,
      shareMin: input.min_percent / 100,
    };
    return `${about}; ${tree.valueType.type}\n${treeText(root, options)}`;
  },
});

/** The function with this name; if there is none, those whose name contains the text. */
function focusOf(tree: CallTree, text: string) {
  const lower = text.toLowerCase();
  return (
    focusedOn(tree, (name) => name === text) ?? focusedOn(tree, (name) => name.toLowerCase().includes(lower))
  );
}
