import { z } from "zod";
import { graphFields, readGraph } from "./graph.ts";
import { mcpTasks, tool } from "./tool.ts";

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
    const { focus, limit, min_percent: minPercent } = input;
    const columns = await readGraph(read, input, focus === undefined ? "widest" : "all");
    if (typeof columns === "string") return columns;
    return read.decoders.run(mcpTasks, "callTree", { columns, focus, limit, minPercent });
  },
});
