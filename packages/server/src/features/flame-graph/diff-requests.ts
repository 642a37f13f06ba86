import type { Context } from "#context";
import { instancesInRange, requestsInRange } from "#decoding/merge-queries.ts";
import type { MergeRange } from "#decoding/merge-range.ts";
import { instanceTags } from "#store/profiles/tag-names.ts";
import type { Side, SideName } from "./diff-side.ts";

/** The HTTP requests of a side, or the reason why they are not known. */
export type Traffic =
  | {
      readonly known: true;
      readonly requests: number;
      /** From the start of the first profile to the end of the last one, within the range. */
      readonly spanMs: number;
      readonly instances: number;
    }
  | { readonly known: false; readonly reason: string };

export async function readTraffic(ctx: Context, side: Side, name: SideName): Promise<Traffic> {
  if (side.kind === "profile")
    return unknown("a single profile is of one instance, and requests are counted for all instances");
  if (side.range.tagNames.length > 0)
    return unknown("requests are counted for the whole service, not for profiles with a tag");
  const { orgId, service, type, from, to } = side.range;
  const [counted] = await ctx.columns.query(requestsInRange, { orgId, service, from, to });
  const requests = counted?.requests ?? 0;
  if (requests === 0) {
    const range = name === "before" ? "first" : "second";
    return unknown(`${service} sent no HTTP metrics in the ${range} range`);
  }
  const [row] = await ctx.columns.query(instancesInRange, {
    orgId,
    service,
    type,
    from,
    to,
    instanceTags: [...instanceTags],
  });
  const { firstMs, lastMs, instances } = row ?? { firstMs: 0, lastMs: 0, instances: 0 };
  return { known: true, requests, spanMs: spanWithin(side.range, firstMs, lastMs), instances };
}

function unknown(reason: string): Traffic {
  return { known: false, reason };
}

function spanWithin({ from, to }: MergeRange, firstMs: number, lastMs: number): number {
  return Math.max(0, Math.min(to.getTime(), lastMs) - Math.max(from.getTime(), firstMs));
}

/**
 * The requests that were answered while the profiler ran. Profilers run all the time, or for some seconds of each minute; the
 * requests of the whole time count with the share of it that the profiles of all instances cover.
 */
export function profiledRequests(
  { requests, spanMs, instances }: Extract<Traffic, { known: true }>,
  durationMs: number,
): number {
  const allMs = spanMs * Math.max(1, instances);
  return allMs === 0 ? requests : requests * Math.min(1, durationMs / allMs);
}
