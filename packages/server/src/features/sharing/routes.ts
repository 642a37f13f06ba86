import {
  allowSharedLinks,
  createSharedLink,
  listSharedLinks,
  readSharedView,
  revokeSharedLink,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import * as operations from "./operations.ts";

/** Calls per minute and address without a session. */
const callsMax = 60;

export function registerSharing(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, listSharedLinks, ({ actor }) => operations.listSharedLinks(ctx, actor));
  serve(app, ctx, createSharedLink, ({ actor, body }) => operations.createSharedLink(ctx, actor, body));
  serve(app, ctx, revokeSharedLink, ({ actor, params }) =>
    operations.revokeSharedLink(ctx, actor, params.id),
  );
  serve(app, ctx, allowSharedLinks, ({ actor, body }) =>
    operations.allowSharedLinks(ctx, actor, body.is_allowed),
  );
  serve(app, ctx, readSharedView, ({ body }) => operations.readSharedView(ctx, body.token), {
    rate: perMinute(app, callsMax),
  });
}
