import { connectErrors, grpcStatus } from "@flamekeep/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { apiKeyOf } from "#auth/credentials.ts";
import type { Context } from "#context";
import { Failure } from "#failure";
import { toFailure } from "#http/reply/error-reply.ts";
import type { IngestCounters } from "#ingest/admission/ingest-counters.ts";
import { isGrpc, noGrpcHere, toGrpcReply } from "./grpc-reply.ts";

/** Gives the reply to a refused upload the form that its sender reads, and returns the body. */
type ErrorForm = (message: string, request: FastifyRequest, reply: FastifyReply) => string;

/** An address of other servers for profiles, to which real programs send. */
interface UnbuiltEndpoint {
  readonly paths: readonly string[];
  readonly sender: string;
  /** Advice for the people who run the sender. */
  readonly instead: string;
  readonly form: ErrorForm;
}

const pyroscopeSdks =
  "use a Pyroscope SDK with this server's address and an API key: /docs/sending lists those that were run";
const grpcService = (name: string, ...methods: readonly string[]) =>
  methods.map((method) => `/${name}/${method}`);

const datadog: UnbuiltEndpoint = {
  paths: ["/profiling/v1/input"],
  sender: "The profiles of Datadog's libraries",
  instead: pyroscopeSdks,
  // Datadog's libraries send again after 5xx, and take 404 for an agent that is too old.
  form: (message, request, reply) => asOwnError(message, request, reply.code(415)),
};
const parca: UnbuiltEndpoint = {
  paths: grpcService("parca.profilestore.v1alpha1.ProfileStoreService", "Write", "WriteArrow"),
  sender: "The profiles of Parca's agent",
  instead: "fetch the same targets with Grafana Alloy, which sends to this server: /docs/send/alloy",
  form: asStatusMessage,
};

/** Every path at which uploads are refused with advice. */
export const unbuiltPaths: readonly string[] = [datadog, parca].flatMap(({ paths }) => paths);

function unbuiltEndpointOf({ url }: FastifyRequest): UnbuiltEndpoint | undefined {
  const path = url.split("?")[0]!;
  return [datadog, parca].find(({ paths }) => paths.includes(path));
}

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
    const advice = adviceFor(request);
    if (advice === undefined) return payload;
    if (isGrpc(request)) return toGrpcReply(advice.code, advice.message, request, reply);
    return unbuiltEndpointOf(request)?.form(advice.message, request, reply) ?? payload;
  });
}

function isUnknownUpload(request: FastifyRequest): boolean {
  return request.is404 && (request.method === "POST" || request.method === "PUT");
}

function adviceFor(request: FastifyRequest): Failure | undefined {
  const endpoint = unbuiltEndpointOf(request);
  if (endpoint !== undefined) {
    const { sender, instead } = endpoint;
    return new Failure("unimplemented", `${sender} cannot be read yet. Until then, ${instead}.`);
  }
  return isGrpc(request) ? new Failure("unimplemented", noGrpcHere) : undefined;
}

/** `google.rpc.Status`, as the JSON gateway of gRPC answers errors. */
function asStatusMessage(message: string, _request: FastifyRequest, reply: FastifyReply): string {
  reply.type("application/json");
  return JSON.stringify({ code: grpcStatus[connectErrors.unimplemented.code], message, details: [] });
}

function asOwnError(message: string, request: FastifyRequest, _reply: FastifyReply): string {
  // `message` is what Datadog's libraries and other clients print.
  return JSON.stringify({ error: message, code: "unimplemented", request_id: request.id, message });
}
