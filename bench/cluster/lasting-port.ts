import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports of outgoing connections: one of these could take a port while its server is down. */
const portMin = 20_000;
const portMax = 32_000;

/** A free port that a server finds free again at its next start. Two runs with the same seed do not choose the same one. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portMax);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await once(server.close(), "close");
    return port;
  }
}
