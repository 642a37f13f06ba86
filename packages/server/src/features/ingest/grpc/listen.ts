import http from "node:http";
import type { ServerHttp2Session } from "node:http2";
import net, { type Socket } from "node:net";
import { grpcStatus } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { apiKeyOf } from "#auth/credentials.ts";
import type { Context } from "#context";
import type { Request, Response } from "./calls.ts";

/**
 * Calls whose message is being read, of all and of one organization: each may have as many bytes as an upload. Others wait, and their
 * senders with them. A message counts in the queue of uploads once it was read.
 */
const callsMax = { all: 8, ofOrganization: 6 };
/** Senders rely on a hundred at least. */
const streamsMax = 100;
/** A message must be there by then, and by `readMsMax` while calls of another organization wait, so that slow senders do not keep them. */
const [callMsMax, readMsMax] = [60_000, 10_000];
const idleMsMax = 300_000;

/** Opens the port for gRPC, and for gRPC-Web over HTTP/1.1, when the app listens. The first connection loads the code that answers. */
export function serveGrpc(app: FastifyInstance, ctx: Context): void {
  const { grpcPort, host } = ctx.config;
  if (grpcPort === undefined) return;
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    void handOver(socket).catch((error: unknown) => {
      ctx.log.error({ err: error }, "gRPC cannot be served");
      socket.destroy();
    });
  });
  let opening: ReturnType<typeof openServers> | undefined;
  async function handOver(socket: Socket): Promise<void> {
    opening ??= openServers(app, ctx);
    const servers = await opening;
    const begin = () => {
      const first: Buffer | null = socket.read();
      if (first === null) return;
      socket.off("readable", begin).setTimeout(0).unshift(first);
      const isHttp2 = first.subarray(0, 3).toString("latin1") === "PRI";
      (isHttp2 ? servers.http2 : servers.http1).emit("connection", socket);
    };
    socket.setTimeout(callMsMax, () => socket.destroy()).on("readable", begin);
  }
  app.addHook("onListen", () => listen(server, { host, ...grpcPort }, ctx));
  app.addHook("preClose", async () => {
    server.close();
    for (const session of (await opening)?.sessions ?? []) session.close();
  });
  app.addHook("onClose", async () => {
    for (const socket of sockets) socket.destroy();
  });
}

interface Place {
  readonly host: string;
  readonly port: number;
  readonly isRequired: boolean;
}

function listen(server: net.Server, { host, port, isRequired }: Place, { log }: Context): Promise<void> {
  return new Promise((resolve) => {
    server.once("error", (error) => {
      const fields = { err: error, port };
      if (isRequired) log.error(fields, "GRPC_PORT cannot be opened: set it to another port, or to off");
      else log.info({ port }, "no gRPC, because its port is in use: set GRPC_PORT to another");
      resolve();
    });
    server.listen({ host, port }, () => {
      log.info({ host, port: (server.address() as net.AddressInfo).port }, "gRPC is served");
      resolve();
    });
  });
}

/** Messages in protobuf, of gRPC and gRPC-Web. */
const grpcType = /^application\/grpc(-web)?(\+proto)?$/i;

async function openServers(app: FastifyInstance, ctx: Context) {
  const [{ grpcHandler, pathOf }, http2] = await Promise.all([import("./calls.ts"), import("node:http2")]);
  const handler = grpcHandler(app, ctx.config.ingest.maxBytes);
  const slots = new Slots();
  const answer = async (request: Request, response: Response) => {
    if (!/^application\/grpc/i.test(request.headers["content-type"] ?? "")) return refuseHttp(response);
    const text = apiKeyOf(request.headers);
    const key = text === undefined ? undefined : await ctx.keys.find(text);
    if (key === undefined)
      return refuse(request, response, "unauthenticated", text === undefined ? keyMissing : keyInvalid);
    if (!handler.has(pathOf(request))) return refuse(request, response, "unimplemented", otherCall);
    if (!grpcType.test(request.headers["content-type"] ?? ""))
      return refuse(request, response, "unimplemented", otherCodec);
    const giveUp = () => refuse(request, response, "unavailable", tooSlow);
    const timer = setTimeout(giveUp, callMsMax);
    const ended = new Promise<void>((resolve) => response.once("close", resolve));
    let answered: Promise<void> | undefined;
    try {
      await slots.run(key.orgId, giveUp, async () => {
        if (response.destroyed) return;
        const read = Promise.withResolvers<void>();
        answered = handler.answer(request, response, read.resolve);
        await Promise.race([read.promise, answered, ended]);
      });
      await Promise.race([answered, ended]);
      await ended;
    } finally {
      clearTimeout(timer);
    }
  };
  const listener = (request: Request, response: Response) => {
    answer(request, response).catch((error: unknown) => {
      ctx.log.error({ err: error }, "a call of gRPC failed");
      response.destroy();
    });
  };
  const sessions = new Set<ServerHttp2Session>();
  const second = http2.createServer({ settings: { maxConcurrentStreams: streamsMax } }, listener);
  second.on("session", (session) => {
    sessions.add(session);
    session.setTimeout(idleMsMax, () => session.close());
    session.once("close", () => sessions.delete(session));
  });
  return { sessions, http1: http.createServer({ requestTimeout: callMsMax }, listener), http2: second };
}

const keyMissing = "An API key is required. Create one under Settings, API Keys, and send it as x-api-key.";
const keyInvalid = "This API key is not valid. Check that it was copied completely and not revoked.";
const otherCall =
  "This call does not exist. Send profiles, spans or metrics of OTLP, push.v1 or Parca's WriteRaw, or read with Pyroscope's QuerierService.";
const otherCodec = "The Content-Type is not accepted here. Send messages in protobuf, as application/grpc.";

const tooSlow =
  "The message did not arrive in time, or the server was too busy to read it. Send it again in a moment.";

/** A reply without messages, before the message of the call was read. */
function refuse(request: Request, response: Response, code: keyof typeof grpcStatus, text: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (!("stream" in response)) response.setHeader("connection", "close");
  response.statusCode = 200;
  response.setHeader("content-type", request.headers["content-type"]!);
  response.setHeader("grpc-status", String(grpcStatus[code]));
  response.setHeader("grpc-message", text);
  response.end();
  // The sender may not have ended its message.
  if ("stream" in response) response.stream.close();
}

/** For senders of HTTP that were given this port: they take the status 200 of gRPC for success. */
function refuseHttp(response: Response): void {
  response.statusCode = 415;
  response.setHeader("content-type", "text/plain; charset=utf-8");
  response.end("This port accepts gRPC only. Send HTTP to the port PORT of this server, 4040 by default.\n");
}

/** Runs calls within `callsMax`: first those of the organization with the fewest, then in the order of their arrival. */
class Slots {
  readonly #running = new Map<string, number>();
  #waiting: { readonly orgId: string; readonly begin: () => void }[] = [];
  #count = 0;

  /** @param giveUp ends a call that took long while others wait */
  async run(orgId: string, giveUp: () => void, call: () => Promise<void>): Promise<void> {
    if (!this.#hasRoom(orgId)) {
      await new Promise<void>((begin) => this.#waiting.push({ orgId, begin }));
    }
    this.#add(orgId, 1);
    const timer = setInterval(() => {
      if (this.#waiting.some((waiting) => waiting.orgId !== orgId)) giveUp();
    }, readMsMax);
    try {
      await call();
    } finally {
      clearInterval(timer);
      this.#add(orgId, -1);
      const next = this.#next();
      this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
      next?.begin();
    }
  }

  #next() {
    const withRoom = this.#waiting.filter(({ orgId }) => this.#hasRoom(orgId));
    const fewest = Math.min(...withRoom.map(({ orgId }) => this.#runningOf(orgId)));
    return withRoom.find(({ orgId }) => this.#runningOf(orgId) === fewest);
  }

  #hasRoom(orgId: string): boolean {
    return this.#count < callsMax.all && this.#runningOf(orgId) < callsMax.ofOrganization;
  }

  #runningOf(orgId: string): number {
    return this.#running.get(orgId) ?? 0;
  }

  #add(orgId: string, change: number): void {
    this.#count += change;
    const running = this.#runningOf(orgId) + change;
    if (running === 0) this.#running.delete(orgId);
    else this.#running.set(orgId, running);
  }
}
