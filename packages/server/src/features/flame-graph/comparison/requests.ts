import type { Context } from "#context";
import { hasLabels } from "#http/query/label-filter.ts";
import { readTraffic, type Traffic } from "#stacks/traffic/traffic.ts";
import type { Side, SideName } from "./side.ts";

/** The HTTP requests of a side, or the reason why they are not known. */
export type SideTraffic =
  | { readonly ok: true; readonly traffic: Traffic }
  | { readonly ok: false; readonly reason: string };

export async function readSideTraffic(ctx: Context, side: Side, name: SideName): Promise<SideTraffic> {
  if (side.kind === "profile")
    return unknown("requests are counted for the whole service, and a single profile is of one instance");
  if (side.range.tagNames.length > 0)
    return unknown("requests are counted for the whole service, not for profiles with a tag");
  if (hasLabels(side.range.labels))
    return unknown("requests are counted for the whole service, not for samples with a label");
  const { orgId, service, type, from, to } = side.range;
  const traffic = await readTraffic(ctx.columns, { orgId, service, type, from, to });
  if (traffic !== undefined) return { ok: true, traffic };
  return unknown(`${service} sent no HTTP metrics in the ${name === "before" ? "first" : "second"} range`);
}

function unknown(reason: string): SideTraffic {
  return { ok: false, reason };
}
