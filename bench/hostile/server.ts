import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import { type Flamekeep, startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { processTree, startPeaks, takenBy } from "./cost.ts";
import { type HostileRequest, warmUps } from "./requests.ts";

export interface Cost {
  /** Anonymous memory of all processes at its peak, over the least that the idle server had. */
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
  /** 0 where the server is gone. */
  readonly status: number;
  /** Refused before its body was read. */
  readonly isUnread: boolean;
}

/** A server in separate processes that has compiled the code which reads uploads. */
export class WarmServer {
  readonly #server: Flamekeep;
  readonly #pids: readonly number[];
  /** The least that it had between two requests: a full collection can come at any time after the warm-up. */
  #idleBytes: number;

  #account: HostileAccount;

  private constructor(server: Flamekeep, account: HostileAccount) {
    this.#server = server;
    this.#account = account;
    this.#pids = processTree(server.pid);
    startPeaks(this.#pids);
    this.#idleBytes = takenBy(this.#pids).anonymousBytes;
  }

  static async start(dataDir: string): Promise<WarmServer> {
    const env = {
      DEMO: "off",
      LOG_LEVEL: "error",
      STOP_DELAY_SECONDS: "0",
      INGEST_PER_MINUTE: "10000000",
      TRUSTED_PROXIES: "127.0.0.1",
    };
    const server = await startFlamekeep({ env, dataDir });
    const account = await makeAccount(server.url);
    for (const request of warmUps()) await send(server.url, request, account);
    return new WarmServer(server, account);
  }

  async stop(): Promise<void> {
    await this.#server.stop("SIGTERM");
  }

  /** Sends the request again as another person where a limit or an ended session kept its body from being read. */
  async costOf(request: HostileRequest): Promise<Cost> {
    const cost = await this.#costOf(request);
    if (!cost.isUnread) return cost;
    this.#account = await makeAccount(this.#server.url);
    return this.#costOf(request);
  }

  async #costOf(request: HostileRequest): Promise<Cost> {
    startPeaks(this.#pids);
    const before = takenBy(this.#pids);
    const status = await send(this.#server.url, request, this.#account);
    const after = takenBy(this.#pids);
    this.#idleBytes = Math.min(this.#idleBytes, before.anonymousBytes);
    return {
      memoryBytes: Math.max(0, after.anonymousBytes - this.#idleBytes),
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
      status,
      isUnread: status === 429 || (request.auth !== "none" && (status === 401 || status === 403)),
    };
  }
}

let addresses = 0;

/** Limits per address are not what is measured. */
function fromNewAddress(): Record<string, string> {
  const number = addresses++;
  return { "x-forwarded-for": `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` };
}

interface HostileAccount extends Account {
  readonly readKey: string;
}

async function makeAccount(url: string): Promise<HostileAccount> {
  const account = await signUp(url, fromNewAddress());
  const reply = await fetch(`${url}/api/v1/protected/api-keys`, {
    method: "POST",
    headers: { ...account.headers, "content-type": "application/json" },
    body: JSON.stringify({ name: "agent", scope: "read" }),
  });
  const { api_key } = (await reply.json()) as { readonly api_key: { readonly key: string } };
  return { ...account, readKey: api_key.key };
}

/** A refusal may close the connection while the body is still sent. */
async function send(url: string, request: HostileRequest, account: HostileAccount): Promise<number> {
  const { path, method, auth, contentType, body } = request;
  const credentials = {
    none: {},
    session: account.headers,
    ingestKey: { "x-api-key": account.key },
    readKey: { "x-api-key": account.readKey },
  }[auth];
  const headers = { ...fromNewAddress(), ...credentials, "content-type": contentType };
  try {
    const reply = await fetch(url + path, { method, headers, body: new Uint8Array(body) });
    await reply.arrayBuffer();
    return reply.status;
  } catch {
    const alive = await fetch(`${url}/healthz`).catch(() => undefined);
    return alive?.ok ? 413 : 0;
  }
}
