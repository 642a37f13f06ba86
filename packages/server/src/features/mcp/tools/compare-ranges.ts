import type { MergedFlameGraph } from "@flamekeep/contract";
import { z } from "zod";
import { changeText, type Side } from "#mcp/text/change-text.ts";
import { functionTotals } from "#mcp/text/function-totals.ts";
import { readMerged, unitOf } from "./graph.ts";
import { fields, tool } from "./tool.ts";

export const compareRanges = tool({
  name: "compare_ranges",
  title: "Compare two ranges",
  description:
    "What changed between two ranges of a service, or between two versions (tags): the functions that grew and shrank most. Values are per second of profiling; memory and goroutines are means of the profiles.",
  input: z.object({
    service: fields.service,
    type: fields.type,
    before_from: fields.from.default("2h"),
    before_to: fields.to.default("1h"),
    after_from: fields.from.default("1h"),
    after_to: fields.to,
    before_tags: fields.tags,
    after_tags: fields.tags,
    sample_type: fields.sampleType,
    limit: z.int().min(1).max(50).default(15).describe("Most functions of each list."),
  }),
  async run(read, input) {
    const { service, type, sample_type } = input;
    const both = { service, type, sample_type };
    const [before, after] = await Promise.all([
      readMerged(read, { ...both, from: input.before_from, to: input.before_to, tags: input.before_tags }),
      readMerged(read, { ...both, from: input.after_from, to: input.after_to, tags: input.after_tags }),
    ]);
    const empty =
      before.profiles_merged === 0 ? "earlier" : after.profiles_merged === 0 ? "later" : undefined;
    if (empty !== undefined) return `No profile of this service and type in the ${empty} range.`;
    const isRate = after.aggregation === "sum";
    const unit = isRate ? `${unitOf(after)} per second` : unitOf(after);
    return [
      `before: ${before.profiles_merged} profiles, ${before.from} to ${before.to}`,
      `after: ${after.profiles_merged} profiles, ${after.from} to ${after.to}`,
      changeText(sideOf(before), sideOf(after), { unit: unitOf(after), count: input.limit }),
      `(${after.sample_type.type}, ${isRate ? "per second of profiling" : "mean of the profiles"}, ${unit})`,
    ].join("\n");
  },
});

function sideOf(graph: MergedFlameGraph): Side {
  const seconds = graph.duration_ms / 1000;
  const divisor = graph.aggregation === "sum" && seconds > 0 ? seconds : 1;
  return { totals: functionTotals(graph.root), total: graph.root.total_value, divisor };
}
