import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { type Call, flameGraphContentType, modelContextProtocol } from "@flamekeep/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "#context";
import { callerOf } from "#http/endpoint/caller.ts";
import { callLocally, callLocallyFor, mayWriteLocally } from "#http/endpoint/local-calls.ts";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { FileReply } from "#http/reply/reply.ts";
import type { Read, ReadRequest, WriteRequest } from "./tools/tool.ts";

/** An agent that explores makes some calls a second; each may merge a day of profiles. */
const callsPerMinute = 120;

/** There are no sessions or subscriptions: each request gets its own server, for the organization of its key. */
export function registerMcp(app: FastifyInstance, ctx: Context): void {
  let opening: ReturnType<typeof openHandler> | undefined;
  app.addHook("onClose", async () => (await opening)?.close());
  serve(
    app,
    ctx,
    modelContextProtocol,
    async (ctx, actor, _input, { caller, request, body }) => {
      const from = { actor, caller };
      const read: Read = Object.assign(
        <C extends Call>(call: C, input?: ReadRequest) => callLocally(app, call, from, input),
        {
          columns: (call: Call, input: ReadRequest) =>
            callLocallyFor(flameGraphContentType, app, call, from, input),
          write: <C extends Call>(call: C, input: WriteRequest) => callLocally(app, call, from, input),
          mayWrite: (call: Call) => mayWriteLocally(call, actor),
          decoders: ctx.decoders,
          now: ctx.now,
          publicUrl: ctx.config.publicUrl,
        },
      );
      opening ??= openHandler(ctx);
      const handler = await opening;
      const response = await handler.fetch(request, {
        parsedBody: body,
        authInfo: { token: "", clientId: actor.orgId, scopes: ["read"], extra: { read } },
      });
      const { status } = response;
      const type = response.headers.get("content-type") ?? "application/json";
      if (response.body === null) return new FileReply(type, new Uint8Array(), { status });
      return new FileReply(type, Readable.fromWeb(response.body as ReadableStream), { status });
    },
    {
      rate: perMinute(app, "mcp", callsPerMinute),
      fromRequest: agentRequestOf,
    },
  );
}

/** Loads the library with the first request: most servers never get one, and it takes 5 MB of memory. */
async function openHandler(ctx: Context) {
  const [{ createMcpHandler }, { toServer }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("./server.ts"),
  ]);
  return createMcpHandler(({ authInfo }) => toServer(authInfo?.extra?.read as Read, ctx.log), {
    maxSubscriptions: 0,
    onerror: (err) => ctx.log.warn({ err }, "a request of a coding agent failed"),
  });
}

function agentRequestOf(request: FastifyRequest) {
  return { caller: callerOf(request), request: toWebRequest(request), body: request.body };
}

/** Leaves out the key, which the tools do not need. */
function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (forwardedHeaders.has(name) || name.startsWith("mcp-")) headers.set(name, String(value));
  }
  return new Request(new URL(request.url, "http://localhost"), {
    method: "POST",
    headers,
    body: JSON.stringify(request.body),
  });
}

const forwardedHeaders = new Set(["accept", "content-type"]);
