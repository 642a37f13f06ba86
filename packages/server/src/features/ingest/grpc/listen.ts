import http from "node:http";
import http2 from "node:http2";
import net, { type Socket } from "node:net";
import { grpcStatus } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { apiKeyOf } from "#auth/credentials.ts";
import type { Context } from "#context";
import type { Request, Response } from "./calls.ts";

/** Calls whose message is being read: each may have as many bytes as an upload. Others wait, and their senders with them. */
const callsMax = 8;
/** Senders rely on a hundred at least. */
const streamsMax = 100;
const callMsMax = 30_000;
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

async function openServers(app: FastifyInstance, ctx: Context) {
  const { grpcHandler } = await import("./calls.ts");
  const handler = grpcHandler(app, ctx.config.ingest.maxBytes);
  const slots = new Slots(callsMax);
  const answer = async (request: Request, response: Response) => {
    const text = apiKeyOf(request.headers);
    if (text === undefined || (await ctx.keys.find(text)) === undefined) return refuse(response);
    request.setTimeout(callMsMax, () => request.destroy());
    const free = await slots.take();
    response.once("close", free);
    if (response.destroyed) free();
    else handler(request, response);
  };
  const listener = (request: Request, response: Response) => {
    answer(request, response).catch((error: unknown) => {
      ctx.log.error({ err: error }, "a call of gRPC failed");
      response.destroy();
    });
  };
  const sessions = new Set<http2.ServerHttp2Session>();
  const second = http2.createServer({ settings: { maxConcurrentStreams: streamsMax } }, listener);
  second.on("session", (session) => {
    sessions.add(session);
    session.setTimeout(idleMsMax, () => session.close());
    session.once("close", () => sessions.delete(session));
  });
  return { sessions, http1: http.createServer({ requestTimeout: callMsMax }, listener), http2: second };
}

/** A reply without messages, before the message of the call is read. */
function refuse(response: Response): void {
  response.statusCode = 200;
  response.setHeader("content-type", "application/grpc");
  response.setHeader("grpc-status", String(grpcStatus.unauthenticated));
  response.setHeader("grpc-message", "Send an API key of this server as x-api-key, or as bearer.");
  response.end();
}

/** A number of permits. `take` resolves with a function that gives the permit back, once. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}
