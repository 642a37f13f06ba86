import {
  aggregateHttpMetrics,
  httpTimeline,
  listHttpErrors,
  listHttpMetrics,
  listHttpPaths,
  listPathMetrics,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import * as operations from "./operations.ts";

export function registerHttpMetrics(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, listHttpMetrics, ({ actor, params, query }) =>
    operations.listHttpMetrics(ctx, actor, { ...params, query }),
  );
  serve(app, ctx, listPathMetrics, ({ actor, params, query }) =>
    operations.listPathMetrics(ctx, actor, { ...params, query }),
  );
  serve(app, ctx, aggregateHttpMetrics, ({ actor, params, query }) =>
    operations.aggregateHttpMetrics(ctx, actor, { ...params, query }),
  );
  serve(app, ctx, listHttpPaths, ({ actor, query }) => operations.listHttpPaths(ctx, actor, query));
  serve(app, ctx, listHttpErrors, ({ actor, params, query }) =>
    operations.listHttpErrors(ctx, actor, { ...params, query }),
  );
  serve(app, ctx, httpTimeline, ({ actor, params, query }) =>
    operations.getHttpTimeline(ctx, actor, { ...params, query }),
  );
}
