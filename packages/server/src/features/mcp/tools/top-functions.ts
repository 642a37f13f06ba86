import { z } from "zod";
import { graphFields, readGraph, readType } from "./graph.ts";
import { mcpTasks, tool } from "./tool.ts";

export const topFunctions = tool({
  name: "top_functions",
  title: "Top functions",
  description:
    "The functions that cost most in a range or in one profile: self value (without what they call) and total (with all they call), with file and line. Self values of goroutine, mutex and block profiles count for the function that waits.",
  input: z.object({
    ...graphFields,
    order: z.enum(["self", "total"]).default("self").describe("What to sort by."),
    limit: z.int().min(1).max(100).default(30).describe("Most functions to list."),
  }),
  async run(read, input) {
    const columns = await readGraph(read, input);
    if (typeof columns === "string") return columns;
    const { order, limit } = input;
    return read.decoders.run(mcpTasks, "topFunctions", {
      columns,
      profileType: await readType(read, input),
      order,
      limit,
    });
  },
});
