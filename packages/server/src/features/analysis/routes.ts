import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { createAnalysers } from "./analysers.ts";
import { giveFeedback } from "./feedback.ts";
import { listFindings, updateFinding } from "./findings/operations.ts";
import { getResourcePrice, updateResourcePrice } from "./findings/price.ts";
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
  const rate = perMinute(app, "analyses", startsPerMinute);
  serve(app, ctx, calls.analyzeProfile, waking(wake, operations.startProfileAnalysis), { rate });
  serve(app, ctx, calls.analyzeService, waking(wake, operations.startRangeAnalysis), { rate });
  serve(app, ctx, calls.getAnalysis, operations.getAnalysis);
  serve(app, ctx, calls.listProfileAnalyses, operations.listProfileAnalyses);
  serve(app, ctx, calls.listServiceAnalyses, operations.listServiceAnalyses);
  serve(app, ctx, calls.latestAnalyses, operations.latestAnalyses);
  serve(app, ctx, calls.giveFeedback, giveFeedback);
  serve(app, ctx, calls.listFindings, listFindings);
  serve(app, ctx, calls.updateFinding, updateFinding);
  serve(app, ctx, calls.getResourcePrice, getResourcePrice);
  serve(app, ctx, calls.updateResourcePrice, updateResourcePrice);
  serve(app, ctx, calls.askAboutAnalysis, createAsk(model), {
    rate: perMinute(app, "questions", questionsPerMinute),
  });
}

/** Starts the analysis that the operation has put into the queue. */
function waking<A extends readonly unknown[]>(
  wake: () => void,
  start: (...args: A) => Promise<calls.Analysis>,
): (...args: A) => Promise<calls.Analysis> {
  return async (...args) => {
    const analysis = await start(...args);
    wake();
    return analysis;
  };
}
