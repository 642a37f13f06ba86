import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { expect, it } from "vitest";
import { startApp } from "#testing/start-app.ts";
import { stopGracefully } from "./stopping.ts";

const stoppingCheck = { name: "server", ok: false, message: "is stopping" };

interface Connection {
  readonly socket: Socket;
  /** Everything that came back so far. */
  text(): string;
  ask(path: string): void;
  readonly closed: Promise<unknown>;
}

async function open(app: FastifyInstance): Promise<Connection> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString();
  });
  const closed = once(socket, "close");
  await once(socket, "connect");
  return {
    socket,
    closed,
    text: () => text,
    ask: (path) =>
      void socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n`),
  };
}

/** An app with a call that is answered when the test says so. */
async function appWithWork(): Promise<{ app: FastifyInstance; begun: Promise<void>; finish(): void }> {
  const app = Fastify({ return503OnClosing: false, keepAliveTimeout: 65_000 });
  const stopping = stopGracefully(app);
  const begun = Promise.withResolvers<void>();
  const work = Promise.withResolvers<void>();
  app.get("/work", async () => {
    begun.resolve();
    await work.promise;
    return "done";
  });
  app.get("/readyz", (_request, reply) => reply.code(stopping.hasBegun() ? 503 : 200).send("ready?"));
  stopping.finish();
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { app, begun: begun.promise, finish: work.resolve };
}

it("finishes running requests, reports meanwhile that it is not ready, and refuses new ones", async () => {
  const { app, begun, finish } = await appWithWork();
  const worker = await open(app);
  worker.ask("/work");
  await begun;
  let isClosed = false;
  const closing = app.close().then(() => {
    isClosed = true;
  });
  const [prober, late] = [await open(app), await open(app)];
  prober.ask("/readyz");
  late.ask("/work");
  await Promise.all([prober.closed, late.closed]);
  expect(prober.text()).toMatch(/^HTTP\/1\.1 503 .*connection: close.*ready\?$/is);
  expect(late.text()).toMatch(/^HTTP\/1\.1 503 .*The server is stopping/s);
  expect([isClosed, worker.text()]).toEqual([false, ""]);
  finish();
  await Promise.all([closing, worker.closed]);
  expect(worker.text()).toMatch(/^HTTP\/1\.1 200 .*connection: close.*done$/is);
});

it("does not wait for idle or unused connections, nor for a client that disconnected", async () => {
  const { app, begun, finish } = await appWithWork();
  const [idle, silent, gone] = [await open(app), await open(app), await open(app)];
  idle.ask("/readyz");
  await expect.poll(idle.text).toMatch(/ready\?$/);
  expect(idle.text()).toMatch(/connection: keep-alive/i);
  gone.ask("/work");
  await begun;
  gone.socket.destroy();
  await app.close();
  await Promise.all([idle.closed, silent.closed, gone.closed]);
  expect([silent.text(), gone.text()]).toEqual(["", ""]);
  finish();
});

it("has no time limit by the framework, which would end the process before uploads are answered", async () => {
  const server = await startApp();
  expect(server.app.initialConfig.pluginTimeout).toBe(0);
  await server.close();
});

it("applies to the whole server: probes and refusals have their usual form", async () => {
  const server = await startApp();
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  const slow = await open(server.app);
  const body = JSON.stringify({ email: "nobody@example.com", password: "nothing" });
  const head = `POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const counted = once(server.app.server, "request");
  slow.socket.write(`${head}\r\n\r\n${body.slice(0, 9)}`);
  await counted;
  const closing = server.close();
  const paths = ["/readyz", "/healthz", "/api/v1/status"];
  const replies = await Promise.all(
    paths.map(async (path) => {
      const connection = await open(server.app);
      connection.ask(path);
      await connection.closed;
      const [start = "", json = ""] = connection.text().split("\r\n\r\n");
      return [start.slice(9, 12), JSON.parse(json)];
    }),
  );
  slow.socket.write(body.slice(9));
  await Promise.all([closing, slow.closed]);
  expect(replies).toEqual([
    ["503", { status: "not_ready", health: "degraded", checks: [stoppingCheck], warnings: [], notices: [] }],
    ["200", { status: "ok" }],
    [
      "503",
      { error: expect.stringContaining("stopping"), code: "unavailable", request_id: expect.any(String) },
    ],
  ]);
  expect(slow.text()).toMatch(/^HTTP\/1\.1 401 .*connection: close/is);
});
