import { moment } from "@flamekeep/contract/schemas";
import { z } from "zod";
import { invalid } from "#failure";
import { rangeOf, separateMinutes, type TimeRange } from "#http/query/time-range.ts";
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
    const now = read.now();
    const [beforeRange, afterRange] = separateMinutes(
      rangeOf({ from: usable("before_from", input), to: usable("before_to", input) }, now),
      rangeOf({ from: usable("after_from", input), to: usable("after_to", input) }, now),
    );
    const [before, after] = await Promise.all([
      readRange(read, { ...both, ...momentsOf(beforeRange), tags: input.before_tags }),
      readRange(read, { ...both, ...momentsOf(afterRange), tags: input.after_tags }),
    ]);
    return read.decoders.run(mcpTasks, "changes", { before, after, limit: input.limit });
  },
});

function usable<N extends string>(name: N, input: Readonly<Record<N, string>>): string {
  const { data, error } = moment(name).safeParse(input[name]);
  if (data === undefined) throw invalid(error?.issues[0]?.message ?? `${name} is no time`);
  return data;
}

function momentsOf({ fromMs, toMs }: TimeRange) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
