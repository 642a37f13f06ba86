import { limits, profileLabels, serviceLabels } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { unprocessable } from "#failure";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { labelFilterOf, labelsOf } from "#http/query/label-filter.ts";
import { unreadableLabelsText } from "#stacks/labelled-profile.ts";
import { taskFile } from "#stacks/pool.ts";
import { recordedProfiles } from "#stacks/ranges/label-queries.ts";
import { readLabelValues } from "#stacks/ranges/label-values.ts";
import { isAveraged, readRangeContent } from "#stacks/ranges/merge-range.ts";
import { requestedRange } from "#stacks/ranges/requested-range.ts";
import { queryOne } from "#store/column/query.ts";
import { readPayload } from "#store/payloads/read-payload.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import { sampleTypeIndex } from "#store/profiles/sample-type.ts";
import type * as tasks from "./tasks.ts";

export function registerLabels(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, serviceLabels, getServiceLabels);
  serve(app, ctx, profileLabels, getProfileLabels);
}

const labelTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

/** The labels of the samples of a range. Profiles whose labels were not recorded do not count. */
const getServiceLabels: Operation<typeof serviceLabels> = async (ctx, { orgId }, input) => {
  const { range: requested, sampleType: named } = requestedRange(ctx, orgId, input);
  const { labels } = requested;
  const range = { ...requested, skipsUnrecordedLabels: true };
  const [content, counted] = await Promise.all([
    readRangeContent(ctx, range, named),
    queryOne(ctx.columns, recordedProfiles, range),
  ]);
  const { sampleType, profiles } = content;
  const all = await readLabelValues(ctx.columns, { ...range, sampleType });
  const keys = input.key === undefined ? all : all.filter(({ key }) => key === input.key);
  const divisor = isAveraged(sampleType) ? Math.max(1, profiles) : 1;
  const value = (total: bigint) => Number(total) / divisor;
  return {
    sample_type: toValueType(sampleType),
    aggregation: isAveraged(sampleType) ? "mean" : "sum",
    total: value(content.total),
    labels: labelsOf(labels),
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    profiles_merged: profiles,
    profiles_unrecorded: counted.unrecorded,
    keys: keys.slice(0, limits.labelKeysMax).map(({ key, total, values, folded }) => ({
      name: key,
      total: value(total),
      values: values
        .slice(0, limits.labelValuesMax)
        .map((each) => ({ value: each.value, total: value(each.total) })),
      values_total: values.length,
      folded_total: folded === undefined ? null : value(folded),
    })),
    keys_total: keys.length,
  };
};

/** The labels of the samples of one profile, from its bytes. */
const getProfileLabels: Operation<typeof profileLabels> = async (
  ctx,
  { orgId },
  { id, sample_type: sampleType, labels: filter },
) => {
  const row = await ctx.profiles.read(orgId, id);
  const { type } = row;
  if (type === "metrics") throw unprocessable("A batch of HTTP metrics has no samples, so it has no labels");
  sampleTypeIndex(row.sample_types, sampleType);
  const labels = labelFilterOf(filter);
  const found = await ctx.decoders.open(labelTasks, "labelsIn", {
    payload: await readPayload(ctx.payloads, orgId, row.profile_id),
    profileId: row.profile_id,
    type,
    sampleTypes: row.sample_types,
    sampleType,
    labels,
  });
  if (found === "unreadable") throw unprocessable(unreadableLabelsText);
  return {
    sample_type: found.sampleType,
    total: found.total,
    labels: labelsOf(labels),
    keys: found.keys.slice(0, limits.labelKeysMax).map(({ key, total, values, folded }) => ({
      name: key,
      total,
      values: values.slice(0, limits.labelValuesMax),
      values_total: values.length,
      folded_total: folded,
    })),
    keys_total: found.keys.length,
  };
};
