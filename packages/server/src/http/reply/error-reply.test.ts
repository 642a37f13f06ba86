import { once } from "node:events";
import { connect } from "node:http2";
import Fastify from "fastify";
import { expect, it } from "vitest";
import { answerBrokenRequest } from "./error-reply.ts";

it("advises clients of HTTP/2, which gRPC needs, in a frame that they log", async () => {
  const app = Fastify({ clientErrorHandler: answerBrokenRequest });
  const client = connect(await app.listen({ port: 0, host: "127.0.0.1" }));
  client.on("error", () => undefined);
  const call = client.request({
    ":method": "POST",
    ":path": "/a.v1.Service/Call",
    "content-type": "application/grpc",
  });
  call.on("error", () => undefined);
  const [code, , text] = (await once(client, "goaway")) as [number, number, Buffer];
  client.destroy();
  await app.close();
  expect([code, text.toString()]).toEqual([0x0d, expect.stringMatching(/HTTP\/1\.1.*GRPC_PORT/)]);
});
