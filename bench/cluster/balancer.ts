import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Random } from "#random";
import { isReady } from "./member.ts";

const betweenProbesMsDefault = 200;
const replyMsMax = 30_000;
const badGateway = 502;

/** Sends each request to a random server that is ready; to any server if none is. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
}

/** @param servers all addresses, at this moment */
export async function startBalancer(
  servers: () => readonly string[],
  random: Random,
  betweenProbesMs = betweenProbesMsDefault,
): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  let ready: readonly string[] = servers();
  const probe = async () => {
    const all = servers();
    const answers = await Promise.all(all.map(isReady));
    ready = all.filter((_, index) => answers[index]);
  };
  let probing = Promise.resolve();
  const timer = setInterval(() => {
    probing = probe();
  }, betweenProbesMs);
  const server = createServer((incoming, reply) => {
    const inRandomOrder = (ready.length > 0 ? ready : servers())
      .map((url) => ({ url, place: random.between(0, 1) }))
      .sort((a, b) => a.place - b.place)
      .map(({ url }) => url);
    forward(incoming, reply, { servers: inRandomOrder, agent }).catch((error: Error) => {
      if (reply.headersSent) reply.destroy();
      else reply.writeHead(badGateway).end(error.message);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await probing;
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

interface Route {
  readonly servers: readonly string[];
  readonly agent: Agent;
}

/** Goes on to the next server only where the connection was refused: nothing of the request can have arrived. */
async function forward(incoming: IncomingMessage, reply: ServerResponse, { servers, agent }: Route) {
  const body = await buffer(incoming);
  for (const [index, server] of servers.entries()) {
    const options = { agent, method: incoming.method, headers: incoming.headers, timeout: replyMsMax };
    const sent = request(server + incoming.url, options).end(body);
    sent.once("timeout", () => sent.destroy(new Error(`no reply within ${replyMsMax / 1000} s`)));
    try {
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      reply.writeHead(answer.statusCode ?? badGateway, answer.headers);
      for await (const chunk of answer) reply.write(chunk);
      reply.end();
      return;
    } catch (error) {
      const isRefused = (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
      if (!isRefused || index === servers.length - 1) throw error;
    }
  }
}
