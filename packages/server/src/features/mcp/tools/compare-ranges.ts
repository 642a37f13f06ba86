import { z } from "zod";
import { readRange } from "./graph.ts";
import { fields, mcpTasks, tool } from "./tool.ts";

export const compareRanges = tool({
  name: "compare_ranges",
  title: "Compare two ranges",
  description:
    "What changed between two ranges of a service, or between two versions (tags): the functions that grew and shrank most. Values are per second of profiling, or per profile where profiles have no duration; memory and goroutines are means of the profiles. Self values of goroutine, mutex and block profiles count for the function that waits.",
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
      readRange(read, { ...both, from: input.before_from, to: input.before_to, tags: input.before_tags }),
      readRange(read, { ...both, from: input.after_from, to: input.after_to, tags: input.after_tags }),
    ]);
    return read.decoders.run(mcpTasks, "changes", { before, after, limit: input.limit });
  },
});
