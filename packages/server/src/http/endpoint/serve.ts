import type { IncomingMessage } from "node:http";
import type { Endpoint } from "@flamekeep/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import type { z } from "zod";
import { auditCall } from "#audit/audited-calls.ts";
import { withOrigin } from "#audit/request-origin.ts";
import { type ActorOf, authorize } from "#auth/actor.ts";
import { authenticate } from "#auth/authenticate.ts";
import type { Actor, Context } from "#context";
import { Failure } from "#failure";
import { requireKnownHost } from "#http/connection/known-host.ts";
import { collectBody } from "#http/endpoint/collect-body.ts";
import { rememberOperation } from "#http/endpoint/local-calls.ts";
import { checked, withUsableText } from "#http/endpoint/validate.ts";
import { FileReply } from "#http/reply/file-reply.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set before the body is read, on every route made by `serve`. */
    actor: Actor | null;
  }
}

interface Call<E extends Endpoint> {
  readonly actor: ActorOf<E>;
  readonly params: z.output<E["params"]>;
  readonly query: z.output<E["query"]>;
  /** The checked JSON, or the bytes of an upload (empty without a body). */
  readonly body: z.output<E["body"]> extends undefined ? Buffer : z.output<E["body"]>;
  readonly request: FastifyRequest;
  /** For headers and status only: the operation returns the body. */
  readonly reply: FastifyReply;
}

type Answer<E extends Endpoint> = z.input<E["reply"]> | FileReply;
type Operation<E extends Endpoint> = (call: Call<E>) => Promise<Answer<E>> | Answer<E>;

export interface ServeOptions {
  /** From `perMinute`: bounds the calls of each key or user, or of each address if nobody is signed in. */
  readonly rate?: onRequestAsyncHookHandler;
  /** Largest body in bytes. */
  readonly bodyBytesMax?: number;
  /** Runs after authentication and before the body is read, to refuse work early. */
  readonly beforeBody?: onRequestAsyncHookHandler;
}

const jsonBytesMax = 64 * 1024;

/** Adds a route for an endpoint: authenticates, checks the role and the request, runs the operation, checks the reply. */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  ctx: Context,
  endpoint: E,
  operation: Operation<E>,
  options: ServeOptions = {},
): void {
  rememberOperation(app, endpoint, operation);
  const onRequest: onRequestAsyncHookHandler[] = [
    async (request, reply) => {
      if (isForBrowsers(endpoint)) requireKnownHost(ctx.config, request);
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
      handler: (request, reply) => answer(ctx, endpoint, operation, { request, reply }),
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
  request.actor = await withOrigin(request, () => authenticate(ctx, auth, request));
  authorize(endpoint, request.actor);
}

async function answer<E extends Endpoint>(
  ctx: Context,
  endpoint: E,
  operation: Operation<E>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  // The body may have arrived half a minute after the head: the session, the role or the key may have ended since.
  if (endpoint.method !== "GET") await admit(ctx, endpoint, request);
  const call = {
    actor: request.actor,
    params: withUsableText("Path", checked("Path", endpoint.params, request.params)),
    query: queryOf(endpoint, request),
    body: bodyOf(endpoint, request),
    request,
    reply,
  } as Call<E>;
  if (reply.statusCode === 200) reply.code(endpoint.status);
  const result = await withOrigin(request, async () => {
    const replied = await operation(call);
    const params = call.params as Readonly<Record<string, string>>;
    await auditCall(ctx, endpoint, { actor: request.actor, params }, replied);
    return replied;
  });
  if (result instanceof FileReply) {
    return reply.headers(result.headers).type(result.contentType).send(result.body);
  }
  return reply.send(ctx.config.checkReplies ? checkedReply(endpoint, result) : result);
}

/** The query of an upload may contain NUL: ingestion replaces characters that tags must not contain. */
function queryOf(endpoint: Endpoint, request: FastifyRequest): unknown {
  const where = "Query parameter";
  const query = checked(where, endpoint.query, request.query);
  return endpoint.upload === undefined ? withUsableText(where, query) : query;
}

function bodyOf(endpoint: Endpoint, request: FastifyRequest): unknown {
  if (endpoint.body.type !== "undefined") {
    return withUsableText("Field", checked("Field", endpoint.body, request.body ?? {}));
  }
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
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
