import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type HostileRequest, hostileRequests } from "./hostile/requests.ts";
import { type Cost, WarmServer } from "./hostile/server.ts";
import { atMost, type BenchResult } from "./result.ts";

const bars = { memoryBytes: 200e6, cpuSeconds: 1 };
/** A server that keeps more memory of earlier requests than this is replaced by a new one. */
const keptBytesMax = 100e6;
/** A request that misses a bar is sent again: merges and other work on the machine can fall into any of them. */
const attemptsMax = 3;
const secondsMax = 330;
const listed = 8;

interface Sent extends Cost {
  readonly what: string;
}

/** The most that any single request costs the server with its engine. */
export async function benchHostile(): Promise<BenchResult> {
  const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-hostile-"));
  const servers = new Servers(dataDir);
  try {
    const { all, unsent } = await sendAll(servers);
    return resultOf(all, unsent, servers.starts);
  } finally {
    await servers.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function sendAll(servers: Servers) {
  const all: Sent[] = [];
  const endsAt = performance.now() + secondsMax * 1000;
  let unsent = 0;
  for (const request of hostileRequests()) {
    if (performance.now() > endsAt) unsent++;
    else all.push(await measured(servers, request));
  }
  return { all, unsent };
}

async function measured(servers: Servers, request: HostileRequest): Promise<Sent> {
  let best: Cost | undefined;
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const cost = await (await servers.get()).costOf(request);
    if (best === undefined || weightOf(cost) < weightOf(best)) best = cost;
    // A profile that was stored is a duplicate the second time, and costs less.
    if (cost.status === 200 || weightOf(best) <= 1) break;
    await servers.stop();
  }
  if (best!.memoryBytes > keptBytesMax) await servers.stop();
  const sent = { ...best!, what: request.what };
  process.stderr.write(`  ${lineOf(sent)}\n`);
  return sent;
}

class Servers {
  starts = 0;
  readonly #dataDir: string;
  #running: WarmServer | undefined;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  async get(): Promise<WarmServer> {
    if (this.#running === undefined) {
      this.starts++;
      this.#running = await WarmServer.start(this.#dataDir);
    }
    return this.#running;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }
}

/** Above 1 where a bar is missed. */
function weightOf({ memoryBytes, cpuSeconds }: Cost): number {
  return Math.max(memoryBytes / bars.memoryBytes, cpuSeconds / bars.cpuSeconds);
}

function lineOf({ memoryBytes, cpuSeconds, status, what }: Sent): string {
  return `${(memoryBytes / 1e6).toFixed(0)} MB, ${cpuSeconds.toFixed(2)} s, answered ${status}: ${what}`;
}

function resultOf(all: readonly Sent[], unsent: number, starts: number): BenchResult {
  const memory = all.toSorted((a, b) => b.memoryBytes - a.memoryBytes);
  const cpu = all.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds);
  process.stderr.write("  the most expensive:\n");
  for (const sent of new Set([...memory.slice(0, listed), ...cpu.slice(0, listed)])) {
    process.stderr.write(`  ${lineOf(sent)}\n`);
  }
  return {
    name: "hostile",
    input: `${all.length} requests one after the other to ${starts} starts of a server; most memory: ${memory[0]?.what}; most CPU: ${cpu[0]?.what}`,
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
      {
        what: "refused before their body was read",
        value: all.filter(({ isUnread }) => isUnread).length,
        unit: "requests",
        bar: atMost(0, true),
      },
      { what: "not sent in time", value: unsent, unit: "requests", bar: atMost(0, true) },
    ],
  };
}
