import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import {
  allowSharedLinks,
  createSharedLink,
  listSharedLinks,
  readSharedView,
  revokeSharedLink,
} from "./operations.ts";

/** Calls per minute and address without a session. */
const callsMax = 60;

export function registerSharing(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listSharedLinks, listSharedLinks);
  serve(app, ctx, calls.createSharedLink, createSharedLink);
  serve(app, ctx, calls.revokeSharedLink, revokeSharedLink);
  serve(app, ctx, calls.allowSharedLinks, allowSharedLinks);
  serve(app, ctx, calls.readSharedView, readSharedView, { rate: perMinute(app, callsMax) });
}
