import { hash } from "node:crypto";
import { mergedFlameGraph } from "@flamekeep/contract";
import type { FlameMeta } from "@flamekeep/flame";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { withDefinitions } from "#decoding/with-definitions.ts";
import { serve } from "#http/endpoint/serve.ts";
import { tagFilterOf } from "#http/query/tag-filter.ts";
import { rangeOf, toWholeMinutes } from "#http/query/time-range.ts";
import { FileReply } from "#http/reply/file-reply.ts";
import { isNamed } from "#http/reply/negotiation.ts";
import { contentTypes, type Form, formOf } from "./form.ts";
import { contentOf, isMean, isOf, type MergeRange, type RangeContent, stackColumns } from "./merge-range.ts";

export function registerMergedFlameGraph(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, mergedFlameGraph, async ({ actor, params, query, request, reply }) => {
    const { fromMs, toMs } = toWholeMinutes(rangeOf(query, ctx.now()));
    const range: MergeRange = {
      orgId: actor.orgId,
      service: params.service,
      type: params.type === "wall" ? "custom" : params.type,
      from: new Date(fromMs),
      to: new Date(toMs),
      ...tagFilterOf(query),
    };
    const form = formOf(request.headers);
    const sampleType = query.sample_type ?? (params.type === "wall" ? "wall" : undefined);
    let content = await contentOf(ctx, range, sampleType);
    const headers = headersOf(metaOf(range, content), form, query.max_nodes);
    if (isNamed(headers.etag, request.headers["if-none-match"])) {
      reply.code(304);
      return new FileReply(contentTypes[form], new Uint8Array(0), headers);
    }
    let columns = await stackColumns(ctx, range, content);
    if (!isOf(columns, content)) {
      content = await contentOf(ctx, range, sampleType);
      columns = await stackColumns(ctx, range, content);
    }
    const meta = metaOf(range, content);
    const bytes = await withDefinitions(
      ctx.columns,
      { orgId: actor.orgId, fromMs, toMs, columns },
      (stored) => ctx.decoders.drawMergedFlameGraph({ stored, meta, form, maxNodes: query.max_nodes }),
    );
    return new FileReply(contentTypes[form], bytes, headersOf(meta, form, query.max_nodes));
  });
}

type Meta = Omit<FlameMeta, "totalSamples">;

function headersOf(meta: Meta, form: Form, maxNodes: number) {
  return {
    "cache-control": "private, no-cache",
    etag: `"${meta.profileHash}-${form}-${maxNodes}"`,
    vary: "accept, authorization",
  };
}

function metaOf(range: MergeRange, content: RangeContent): Meta {
  const merge = {
    service: range.service,
    type: range.type,
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    profilesMerged: content.profiles,
    aggregation: isMean(content.sampleType) ? ("mean" as const) : ("sum" as const),
    sampleTypes: content.sampleTypes,
    tags: Object.fromEntries(range.tagNames.map((name, index) => [name, range.tagValues[index]!])),
  };
  // A profile that is added changes the count, so that the same words mean the same graph.
  const identity = [range.orgId, merge, content.sampleType, String(content.total)];
  return {
    profileId: `${range.service}/${range.type}`,
    durationMs: Number(content.durationNs) / 1e6,
    profileHash: hash("sha256", JSON.stringify(identity), "hex").slice(0, 32),
    merge,
  };
}
