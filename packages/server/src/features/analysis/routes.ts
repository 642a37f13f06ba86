import {
  analyzeProfile,
  analyzeService,
  askAboutAnalysis,
  giveFeedback as feedbackCall,
  getAnalysis,
  latestAnalyses,
  listProfileAnalyses,
  listServiceAnalyses,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { createAnalysers } from "./analysers/table.ts";
import { giveFeedback } from "./feedback.ts";
import { registerAnalysisJob } from "./job.ts";
import { createAsk } from "./model/ask.ts";
import { modelSource } from "./model/providers.ts";
import * as operations from "./operations.ts";

/** Analyses that a person, or an address in the demo, can start. */
const startsPerMinute = 60;
const questionsPerMinute = 20;

export function registerAnalysis(app: FastifyInstance, ctx: Context): void {
  const model = modelSource(ctx);
  const wake = registerAnalysisJob(app, ctx, createAnalysers(ctx, model));
  const ask = createAsk(ctx, model);
  const rate = perMinute(app, startsPerMinute);
  serve(
    app,
    ctx,
    analyzeProfile,
    async ({ actor, params, body }) => {
      const analysis = await operations.startProfileAnalysis(ctx, actor, { id: params.id, options: body });
      wake();
      return analysis;
    },
    { rate },
  );
  serve(
    app,
    ctx,
    analyzeService,
    async ({ actor, params, body }) => {
      const analysis = await operations.startRangeAnalysis(ctx, actor, params.service, body);
      wake();
      return analysis;
    },
    { rate },
  );
  serve(app, ctx, getAnalysis, ({ actor, params }) => operations.getAnalysis(ctx, actor, params.id));
  serve(app, ctx, listProfileAnalyses, ({ actor, params, query }) =>
    operations.listProfileAnalyses(ctx, actor, { id: params.id, limit: query.limit }),
  );
  serve(app, ctx, listServiceAnalyses, ({ actor, params, query }) =>
    operations.listServiceAnalyses(ctx, actor, params.service, query),
  );
  serve(app, ctx, latestAnalyses, ({ actor, params }) =>
    operations.latestAnalyses(ctx, actor, params.service),
  );
  serve(app, ctx, feedbackCall, ({ actor, params, body }) => giveFeedback(ctx, actor, { params, body }));
  serve(app, ctx, askAboutAnalysis, ({ actor, params, body }) => ask(actor, params.id, body), {
    rate: perMinute(app, questionsPerMinute),
  });
}
