import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { signUp } from "@flamekeep/e2e/sign-up";
import { type Flamekeep, startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { type Cost, costOf, processTree, residentOf } from "./hostile/cost.ts";
import { type HostileRequest, hostileRequests, warmUp } from "./hostile/requests.ts";
import { atMost, type BenchResult } from "./result.ts";

const bars = { memoryBytes: 200e6, cpuSeconds: 1 };
/** A process keeps much of what it once took. With more than this it is replaced, so that the next request shows what it takes. */
const keptBytesMax = 40e6;
/** A request that misses a bar is sent again: the engine's merges and other work on the machine fall into any of them. */
const attemptsMax = 3;
const listed = 8;

interface Sent extends Cost {
  readonly what: string;
  readonly status: number;
}

/** The most that any single request costs the server with its engine. */
export async function benchHostile(): Promise<BenchResult> {
  const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-hostile-"));
  const fresh = new FreshServer(dataDir);
  const account = await signUp((await fresh.get()).url);
  const all: Sent[] = [];
  for (const request of hostileRequests(account)) all.push(await measured(fresh, request));
  await fresh.stop();
  rmSync(dataDir, { recursive: true, force: true });
  const memory = all.toSorted((a, b) => b.memoryBytes - a.memoryBytes);
  const cpu = all.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds);
  for (const sent of new Set([...memory.slice(0, listed), ...cpu.slice(0, listed)])) {
    const cost = `${(sent.memoryBytes / 1e6).toFixed(0)} MB, ${sent.cpuSeconds.toFixed(2)} s`;
    process.stderr.write(`  ${cost}, answered ${sent.status}: ${sent.what}\n`);
  }
  return {
    name: "hostile",
    input: `${all.length} requests one after the other to ${fresh.starts} starts of a server; most memory: ${memory[0]?.what}; most CPU: ${cpu[0]?.what}`,
    measurements: [
      {
        what: "memory of one request over that of an idle server, most",
        value: (memory[0]?.memoryBytes ?? 0) / 1e6,
        unit: "MB",
        bar: atMost(bars.memoryBytes / 1e6),
      },
      {
        what: "CPU of one request, most",
        value: cpu[0]?.cpuSeconds ?? 0,
        unit: "s",
        bar: atMost(bars.cpuSeconds),
      },
      {
        what: "answered as a fault of the server, or not at all",
        value: all.filter(({ status }) => status === 0 || status >= 500).length,
        unit: "requests",
        bar: atMost(0, true),
      },
    ],
  };
}

interface Running {
  readonly url: string;
  readonly pids: readonly number[];
  /** Resident bytes of each process before the first hostile request. */
  readonly idle: readonly number[];
}

/** A server that has read nothing expensive yet. */
class FreshServer {
  starts = 0;
  readonly #dataDir: string;
  #server: Flamekeep | undefined;
  #running: Running | undefined;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  async get(): Promise<Running> {
    if (this.#running !== undefined && !hasGrown(this.#running)) return this.#running;
    await this.stop();
    this.starts++;
    const env = { DEMO: "off", LOG_LEVEL: "error", INGEST_PER_MINUTE: "10000000" };
    this.#server = await startFlamekeep({ env, dataDir: this.#dataDir });
    const { url, pid } = this.#server;
    await warmUp(url, await signUp(url));
    const pids = processTree(pid);
    this.#running = { url, pids, idle: pids.map((each) => residentOf(each)) };
    return this.#running;
  }

  async stop(): Promise<void> {
    await this.#server?.stop("SIGTERM");
    this.#running = undefined;
  }
}

function hasGrown({ pids, idle }: Running): boolean {
  return pids.some((pid, i) => residentOf(pid) - (idle[i] ?? 0) > keptBytesMax);
}

async function measured(fresh: FreshServer, request: HostileRequest): Promise<Sent> {
  let best: Sent | undefined;
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const { url, pids, idle } = await fresh.get();
    let status = 0;
    const cost = await costOf(pids, idle, async () => {
      status = await send(url, request);
    });
    if (best === undefined || weightOf(cost) < weightOf(best)) best = { ...cost, status, what: request.what };
    // What was stored is a duplicate the second time, and costs less.
    if (status === 200 || weightOf(best) <= 1) break;
  }
  return best as Sent;
}

/** Above 1 where a bar is missed. */
function weightOf({ memoryBytes, cpuSeconds }: Cost): number {
  return Math.max(memoryBytes / bars.memoryBytes, cpuSeconds / bars.cpuSeconds);
}

/** The status, 0 where the server is gone. A refusal may close the connection while the body is still sent. */
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
