import type { IncomingMessage } from "node:http";
import type { Call, Endpoint, EndpointOf, InputOf } from "@flamekeep/contract";
import { anyEndpointOf } from "@flamekeep/contract/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import type { z } from "zod";
import { auditCall } from "#audit/audited-calls.ts";
import { withOrigin } from "#audit/request-origin.ts";
import { type ActorOf, authenticate, authorize } from "#auth/authenticate.ts";
import type { Actor, Context } from "#context";
import { Failure } from "#failure";
import { requireKnownHost } from "#http/connection/known-host.ts";
import { type Caller, callerOf } from "#http/endpoint/caller.ts";
import { type LocalOperation, rememberOperation } from "#http/endpoint/local-calls.ts";
import { inputOf } from "#http/endpoint/validate.ts";
import { FileReply, Reply, Unchanged } from "#http/reply/reply.ts";
import { withTrace } from "#telemetry/trace-context.ts";
import { collectBody } from "./bodies.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set before the body is read, on every route made by `serve`. */
    actor: Actor | null;
  }
}

type Body<K extends Call> = z.input<EndpointOf<K>["reply"]>;
type Answer<K extends Call> = Body<K> | Reply<Body<K>> | FileReply;

/** A function of a feature that answers calls, by HTTP or from inside the server. `caller` is for the few that look at a request's headers or address. */
export type Operation<K extends Call, C = Context, F = Caller> = (
  ctx: C,
  actor: ActorOf<EndpointOf<K>>,
  input: InputOf<K>,
  caller: F,
) => Promise<Answer<K>> | Answer<K>;

export interface ServeOptions<F = Caller> {
  /** The part of the request that the operation gets in addition to its input, such as the bytes of an upload. By default the caller. */
  readonly fromRequest?: (request: FastifyRequest) => F;
  /** From `perMinute`: bounds the calls of each key or user, or of each address if nobody is signed in. */
  readonly rate?: onRequestAsyncHookHandler;
  /** Largest body in bytes. */
  readonly bodyBytesMax?: number;
  /** For programs that send without a key to whatever name they know: nothing that they send is kept. */
  readonly dropsBody?: boolean;
  /** Runs after authentication and before the body is read, to refuse work early. */
  readonly beforeBody?: onRequestAsyncHookHandler;
}

const jsonBytesMax = 64 * 1024;

/** Adds a route for a call: authenticates, checks the role and the request, runs the operation, checks the reply. */
export function serve<K extends Call, C extends Context, F = Caller>(
  app: FastifyInstance,
  ctx: C,
  call: K,
  operation: Operation<K, NoInfer<C>, NoInfer<F>>,
  options: ServeOptions<F> = {},
): void {
  const endpoint = anyEndpointOf(call);
  const { fromRequest = callerOf as unknown as (request: FastifyRequest) => F } = options;
  const run = async (actor: Actor | null, input: object, caller: F) => {
    const result = await operation(ctx, actor as never, input as never, caller);
    if (!(result instanceof Unchanged)) await auditCall(ctx, endpoint, { actor, input }, bodyOf(result));
    return result;
  };
  rememberOperation(app, endpoint, run as LocalOperation);
  const onRequest: onRequestAsyncHookHandler[] = [
    async (request, reply) => {
      if (isForBrowsers(endpoint) && options.dropsBody !== true) requireKnownHost(ctx.config, request);
      await admit(ctx, endpoint, request);
      if (!isPublicProbe(endpoint)) reply.header("cache-control", "no-store");
    },
  ];
  if (options.beforeBody !== undefined) onRequest.push(options.beforeBody);
  if (options.rate !== undefined) onRequest.push(options.rate);
  const route = (scope: FastifyInstance) =>
    scope.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ":$1"),
      bodyLimit: options.bodyBytesMax ?? jsonBytesMax,
      onRequest,
      handler: async (request, reply) => {
        // The body may have arrived half a minute after the head: the session, the role or the key may have ended since.
        if (endpoint.method !== "GET") await admit(ctx, endpoint, request);
        const input = inputOf(endpoint, request);
        const answer = () => run(request.actor, input, fromRequest(request));
        const result = await withOrigin(request, () => withTrace(request, answer));
        return send(ctx, endpoint, reply, result);
      },
    });
  if (endpoint.upload === undefined) {
    route(app);
    return;
  }
  // A separate scope, because uploads are bytes whatever their content type: curl sends a form type by default.
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    const bytesMax = options.bodyBytesMax ?? jsonBytesMax;
    scope.addContentTypeParser("*", (request: FastifyRequest, payload: IncomingMessage) =>
      collectBody(request.raw, payload, bytesMax),
    );
    route(scope);
    done();
  });
}

async function admit(ctx: Context, endpoint: Endpoint, request: FastifyRequest): Promise<void> {
  const { auth } = endpoint;
  if (auth === "none") return;
  request.actor = await withOrigin(request, () => authenticate(ctx, { ...endpoint, auth }, request));
  authorize(endpoint, request.actor);
}

function send(ctx: Context, endpoint: Endpoint, reply: FastifyReply, result: unknown): FastifyReply {
  if (result instanceof Reply) reply.headers(result.headers);
  reply.code((result instanceof Reply ? result.status : undefined) ?? endpoint.status);
  if (result instanceof FileReply) return reply.type(result.contentType).send(result.body);
  const body = bodyOf(result);
  return reply.send(ctx.config.checkReplies ? checkedReply(endpoint, body) : body);
}

/** The bytes of an upload; none without a body. */
export function uploadOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function bodyOf(result: unknown): unknown {
  return result instanceof Reply ? result.body : result;
}

function checkedReply(endpoint: Endpoint, result: unknown): unknown {
  const check = endpoint.reply.safeParse(result);
  if (check.success) return result;
  throw new Failure("internal", `The reply of ${endpoint.method} ${endpoint.path} breaks the contract`, {
    cause: check.error,
  });
}

/** Programs with a key use any name. A call that only reads needs a token, which no page elsewhere has. */
function isForBrowsers({ method, auth }: Endpoint): boolean {
  return method !== "GET" && (auth === "session" || auth === "none");
}

function isPublicProbe(endpoint: Endpoint): boolean {
  return endpoint.path === "/healthz";
}
