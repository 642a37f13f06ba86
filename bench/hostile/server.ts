import { signUp } from "@flamekeep/e2e/sign-up";
import { type Flamekeep, startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { processTree, startPeaks, takenBy } from "./cost.ts";
import { type HostileRequest, warmUps } from "./requests.ts";

export interface Cost {
  /** Anonymous memory of all processes at its peak, over the least that the idle server had. */
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
  /** 0 where the server is gone. */
  readonly status: number;
}

/** A server in separate processes that has compiled the code which reads uploads. */
export class WarmServer {
  readonly #server: Flamekeep;
  readonly #pids: readonly number[];
  /** The least that it had between two requests: a full collection can come at any time after the warm-up. */
  #idleBytes: number;

  private constructor(server: Flamekeep) {
    this.#server = server;
    this.#pids = processTree(server.pid);
    startPeaks(this.#pids);
    this.#idleBytes = takenBy(this.#pids).anonymousBytes;
  }

  static async start(dataDir: string): Promise<WarmServer> {
    const env = { DEMO: "off", LOG_LEVEL: "error", INGEST_PER_MINUTE: "10000000" };
    const server = await startFlamekeep({ env, dataDir });
    for (const request of warmUps(await signUp(server.url))) await send(server.url, request);
    return new WarmServer(server);
  }

  async stop(): Promise<void> {
    await this.#server.stop("SIGTERM");
  }

  async costOf(request: HostileRequest): Promise<Cost> {
    startPeaks(this.#pids);
    const before = takenBy(this.#pids);
    const status = await send(this.#server.url, request);
    const after = takenBy(this.#pids);
    this.#idleBytes = Math.min(this.#idleBytes, before.anonymousBytes);
    return {
      memoryBytes: Math.max(0, after.anonymousBytes - this.#idleBytes),
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
      status,
    };
  }
}

/** A refusal may close the connection while the body is still sent. */
async function send(url: string, { path, method, headers, body }: HostileRequest): Promise<number> {
  try {
    const reply = await fetch(url + path, { method, headers, body: new Uint8Array(body) });
    await reply.arrayBuffer();
    return reply.status;
  } catch {
    const alive = await fetch(`${url}/healthz`).catch(() => undefined);
    return alive?.ok ? 413 : 0;
  }
}
