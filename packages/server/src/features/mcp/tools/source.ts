import { z } from "zod";
import { graphFields, readGraph, readType } from "./graph.ts";
import { mcpTasks, tool } from "./tool.ts";

export const callersAndCallees = tool({
  name: "callers_and_callees",
  title: "Callers and callees",
  description:
    "Use it for one function: who calls it from which file and line, what it calls from which of its lines, and where its own time goes.",
  input: z.object({
    ...graphFields,
    function: z.string().min(1).max(500).describe("Full name of the function, or a part of it."),
    limit: z.int().min(1).max(50).default(10).describe("Most callers, lines and callees."),
  }),
  async run(read, input) {
    const graphs = await readGraph(read, input, [{ frames: "all", by: "line" }]);
    if (typeof graphs === "string") return graphs;
    const [columns] = graphs as [Uint8Array];
    return read.decoders.run(mcpTasks, "relatives", { columns, name: input.function, limit: input.limit });
  },
});

export const fileLines = tool({
  name: "file_lines",
  title: "Values by line of a file",
  description:
    "Use it with a source file open: what each line costs, self and with what it calls. The file may be given as in the repository.",
  input: z.object({
    ...graphFields,
    file: z.string().min(1).max(500).describe("Path of the file, or its end: internal/cart/quote.go."),
    min_percent: z.number().min(0).max(100).default(0.1).describe("Leaves out lines with a smaller total."),
  }),
  async run(read, input) {
    const graphs = await readGraph(read, input, [{ by: "line" }]);
    if (typeof graphs === "string") return graphs;
    const [columns] = graphs as [Uint8Array];
    const { file, min_percent: minPercent } = input;
    const profileType = await readType(read, input);
    return read.decoders.run(mcpTasks, "linesOfFile", { columns, profileType, file, minPercent });
  },
});
