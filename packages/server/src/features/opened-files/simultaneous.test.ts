import { once } from "node:events";
import { request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { afterEach, expect, test, vi } from "vitest";
import { Failure } from "#failure";
import { limitSimultaneous } from "./simultaneous.ts";

const app = Fastify();
const working: (() => void)[] = [];
app.setErrorHandler((error, _request, reply) =>
  reply.code(error instanceof Failure ? error.status : 500).send(),
);
app.register((scope, _options, done) => {
  limitSimultaneous(scope);
  scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, parsed) => parsed(null, body));
  scope.post("/", async () => {
    await new Promise<void>((resolve) => working.push(resolve));
    return "done";
  });
  done();
});
afterEach(() => app.close());

test("a sender that hangs up keeps its place until its file is read, and no longer", async () => {
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const send = () => {
    const headers = { "content-type": "application/octet-stream" };
    const sent = sendRequest({ port, host: "127.0.0.1", method: "POST", headers });
    sent.on("error", () => undefined);
    sent.end("a file");
    return sent;
  };
  const statusOf = async () => (await once(send(), "response"))[0].statusCode;

  const first = [send(), send()];
  await vi.waitFor(() => expect(working).toHaveLength(2));
  expect(await statusOf()).toBe(429);
  await Promise.all(first.map((each) => new Promise((resolve) => each.once("close", resolve).destroy())));
  expect(await statusOf()).toBe(429);

  for (const end of working.splice(0)) end();
  await vi.waitFor(async () => {
    const sent = send();
    const admitted = vi.waitFor(() => expect(working).toHaveLength(1)).then(() => 200);
    const refused = once(sent, "response").then(([{ statusCode }]) => statusCode);
    expect(await Promise.race([admitted, refused])).toBe(200);
  });
  working.splice(0)[0]!();
});
