import type { ContentionChart, CustomChart, GoroutineChart } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { Context, DemoActor, UserActor } from "#context";
import { unprocessable } from "#failure";
import { readOriginal } from "#store/payloads/read-payload.ts";
import type { ProfileRow } from "#store/profiles/profile-row.ts";
import { readWhere, reportDamage } from "./damages.ts";
import { toContention, toCustom, toGoroutines, toProfile } from "./present.ts";
import { previousProfile } from "./queries.ts";

type Reader = UserActor | DemoActor;
type ChartType = "goroutine" | "mutex" | "block" | "custom";

/** Further back a profile is of another time, and growth since then says nothing. */
const lookBackMs = dayMs;

export async function chartGoroutines(ctx: Context, { orgId }: Reader, id: string): Promise<GoroutineChart> {
  const row = await rowOf(ctx, orgId, id, "goroutine");
  const [original, before] = await Promise.all([
    readOriginal(ctx.payloads, orgId, row.profile_id),
    findPrevious(ctx, orgId, row),
  ]);
  const previous = before && (await readWhere(ctx, orgId, before.profileId));
  const chart = await ctx.decoders.goroutinesOfProfile({ original, previous });
  if (chart.previousDamage !== undefined) reportDamage(ctx, chart.previousDamage);
  return {
    profile: toProfile(row),
    previous:
      before !== undefined && chart.previousTotal !== undefined
        ? {
            profile_id: before.profileId,
            timestamp: before.startedAt.toISOString(),
            total: chart.previousTotal,
          }
        : null,
    ...toGoroutines(chart),
  };
}

async function findPrevious(ctx: Context, orgId: string, row: ProfileRow) {
  const to = row.started_at;
  const [previous] = await ctx.columns.query(previousProfile, {
    orgId,
    service: row.service,
    type: row.type,
    from: new Date(to.getTime() - lookBackMs),
    to,
    tagNames: Object.keys(row.tags),
    tagValues: Object.values(row.tags),
  });
  return previous;
}

export async function chartContention(
  ctx: Context,
  { orgId }: Reader,
  id: string,
  type: "mutex" | "block",
): Promise<ContentionChart> {
  const row = await rowOf(ctx, orgId, id, type);
  const chart = await ctx.decoders.contentionOfProfile(
    await readOriginal(ctx.payloads, orgId, row.profile_id),
  );
  const covers = row.duration_ns === 0n ? "process" : "window";
  return { profile: toProfile(row), covers, ...toContention(chart, type) };
}

export async function chartCustom(ctx: Context, { orgId }: Reader, id: string): Promise<CustomChart> {
  const row = await rowOf(ctx, orgId, id, "custom");
  const chart = await ctx.decoders.customOfProfile(await readOriginal(ctx.payloads, orgId, row.profile_id));
  return { profile: toProfile(row), ...toCustom(chart) };
}

async function rowOf(ctx: Context, orgId: string, id: string, type: ChartType): Promise<ProfileRow> {
  const row = await ctx.profiles.read(orgId, id);
  if (row.type === type) return row;
  throw unprocessable(`This profile is of type ${row.type}; this chart is of ${type} profiles`);
}
