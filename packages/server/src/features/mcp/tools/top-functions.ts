import { z } from "zod";
import { functionTotals } from "#mcp/text/function-totals.ts";
import { printableName } from "#mcp/text/names.ts";
import { percentOf, quantityText } from "#mcp/text/quantity.ts";
import { graphFields, readGraph, readType, unitOf } from "./graph.ts";
import { tool } from "./tool.ts";

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
    const found = await readGraph(read, input);
    if (typeof found === "string") return found;
    const { tree, about } = found;
    const unit = unitOf(tree);
    const whole = tree.total[0]!;
    const totals = functionTotals(tree, await readType(read, input));
    const sorted = [...totals.values()].toSorted((a, b) => b[input.order] - a[input.order]);
    const lines = sorted.slice(0, input.limit).map(({ name, file, line, self, total }) => {
      const place = file === "" ? "" : ` (${printableName(file)}${line > 0 ? `:${line}` : ""})`;
      const own = `self ${percentOf(self, whole)} ${quantityText(self, unit)}`;
      return `${own}, total ${percentOf(total, whole)} ${quantityText(total, unit)}  ${printableName(name)}${place}`;
    });
    return [`${about}; ${tree.valueType.type}, whole ${quantityText(whole, unit)}`, ...lines].join("\n");
  },
});
