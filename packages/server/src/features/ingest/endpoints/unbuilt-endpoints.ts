import { connectErrors, grpcStatus } from "@flamekeep/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { apiKeyOf } from "#auth/credentials.ts";
import type { Context } from "#context";
import { Failure } from "#failure";
import { isGrpc, noGrpcHere, toGrpcReply } from "#http/connect-protocol/grpc-reply.ts";
import { toFailure } from "#http/reply/error-reply.ts";
import type { IngestCounters } from "#ingest/admission/ingest-counters.ts";

/** Calls of other servers for profiles that real programs make. Every upload to them is refused with advice. */
export const unbuiltPaths: readonly string[] = ["Write", "WriteArrow"].map(
  (method) => `/parca.profilestore.v1alpha1.ProfileStoreService/${method}`,
);
const advice =
  "The profiles of Parca's agent cannot be read yet. Until then, fetch the same targets with Grafana Alloy, which sends to this server: /docs/send/alloy.";

/**
 * Answers uploads at addresses without a route: at addresses of other servers with advice in the form that their senders read.
 * Every refused upload counts for its key, so that people who look there learn why nothing arrives.
 */
export function refuseUnknownUploads(app: FastifyInstance, ctx: Context, counters: IngestCounters): void {
  app.addHook("onRequest", (request, _reply, done) => {
    done(isUnknownUpload(request) ? adviceFor(request) : undefined);
  });
  app.addHook("onError", async (request, _reply, error) => {
    if (!isUnknownUpload(request)) return;
    const failure = toFailure(error, request);
    if (failure.code === "unimplemented") counters.refused("unbuilt_endpoint");
    const text = apiKeyOf(request.headers);
    const key = text === undefined ? undefined : await ctx.keys.find(text);
    if (key === undefined) return;
    ctx.keyUsage.countRefused(key, failure);
    if (failure.code !== "unimplemented") counters.refused("unknown_address");
  });
  app.addHook("onSend", async (request, reply, payload) => {
    if (!isUnknownUpload(request) || reply.failureCode !== "unimplemented") return payload;
    const failure = adviceFor(request);
    if (failure === undefined) return payload;
    if (isGrpc(request)) return toGrpcReply(failure.code, failure.message, request, reply);
    return asStatusMessage(failure.message, reply);
  });
}

function isUnknownUpload(request: FastifyRequest): boolean {
  return request.is404 && (request.method === "POST" || request.method === "PUT");
}

function adviceFor(request: FastifyRequest): Failure | undefined {
  if (unbuiltPaths.includes(request.url.split("?")[0]!)) return new Failure("unimplemented", advice);
  return isGrpc(request) ? new Failure("unimplemented", noGrpcHere) : undefined;
}

/** `google.rpc.Status`, as the JSON gateway of gRPC answers errors. */
function asStatusMessage(message: string, reply: FastifyReply): string {
  reply.type("application/json");
  return JSON.stringify({ code: grpcStatus[connectErrors.unimplemented.code], message, details: [] });
}
