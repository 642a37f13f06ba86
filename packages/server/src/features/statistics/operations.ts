import type { InputOf, ProfileStatistics, profileStatistics } from "@flamekeep/contract";
import type { Actor, Context } from "#context";
import { taskFile } from "#decoding/pool.ts";
import { readPayload } from "#store/payloads/read-payload.ts";
import { toMetricsStatistics, toStatistics } from "./present.ts";
import type * as tasks from "./tasks.ts";

const statisticsTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

export async function getProfileStatistics(
  ctx: Context,
  { orgId }: Actor,
  { id, group_by: groupBy }: InputOf<typeof profileStatistics>,
): Promise<ProfileStatistics> {
  const row = await ctx.profiles.read(orgId, id);
  if (row.type === "metrics") return toMetricsStatistics(row);
  const description = await ctx.decoders.open(statisticsTasks, "describeProfile", {
    payload: await readPayload(ctx.payloads, orgId, row.profile_id),
    profileId: row.profile_id,
    type: row.type,
    sampleTypes: row.sample_types,
    groupBy,
  });
  return toStatistics(row, description);
}
