import { z } from "zod";
import { type MeasuredSide, normalisationsOf } from "#decoding/traffic/normalisation.ts";
import { changeText, type Side } from "#mcp/text/change-text.ts";
import { functionTotals } from "#mcp/text/function-totals.ts";
import { type MergedGraph, readMerged, unitOf } from "./graph.ts";
import { fields, tool } from "./tool.ts";

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
      readMerged(read, { ...both, from: input.before_from, to: input.before_to, tags: input.before_tags }),
      readMerged(read, { ...both, from: input.after_from, to: input.after_to, tags: input.after_tags }),
    ]);
    const empty =
      before.meta.merge.profilesMerged === 0
        ? "earlier"
        : after.meta.merge.profilesMerged === 0
          ? "later"
          : undefined;
    if (empty !== undefined) return `No profile of this service and type in the ${empty} range.`;
    const isMean = after.meta.merge.aggregation === "mean";
    const { per, ...divisors } = normalisationsOf(toMeasuredSide(before), toMeasuredSide(after), isMean)[0]!;
    const sides = [sideOf(before, divisors.before), sideOf(after, divisors.after)] as const;
    const basis = isMean
      ? "mean of the profiles"
      : per === "second"
        ? "per second of profiling"
        : "per profile";
    const unit = isMean ? unitOf(after.tree) : `${unitOf(after.tree)} per ${per}`;
    return [
      `before: ${mergedText(before)}`,
      `after: ${mergedText(after)}`,
      changeText(...sides, { unit: unitOf(after.tree), count: input.limit }),
      `(${after.tree.valueType.type}, ${basis}, ${unit})`,
    ].join("\n");
  },
});

/** Values are of one instance, so requests do not count. */
function toMeasuredSide({ meta: { merge, durationMs } }: MergedGraph): MeasuredSide {
  return { profiles: merge.profilesMerged, durationMs, requests: undefined };
}

function mergedText({ meta: { merge } }: MergedGraph): string {
  return `${merge.profilesMerged} profiles, ${merge.from} to ${merge.to}`;
}

function sideOf({ tree, meta }: MergedGraph, divisor: number): Side {
  return { totals: functionTotals(tree, meta.merge.type), total: tree.total[0]!, divisor };
}
