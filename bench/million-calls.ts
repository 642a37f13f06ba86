import process from "node:process";
import { calls } from "./million/calls.ts";
import type { BenchServer } from "./million/server.ts";
import { usageOf } from "./processes.ts";
import { quantile } from "./result.ts";

const rounds = 60;
const warmUps = 4;

export interface Measured {
  /** p95 in milliseconds by call; undefined where the server has no such call yet. */
  readonly p95: ReadonlyMap<string, number | undefined>;
  /** Largest of this process and the engine's, while calls ran. */
  readonly residentBytes: number;
}

/** One warm client: each call again and again, one at a time. */
export async function measureCalls(server: BenchServer): Promise<Measured> {
  const p95 = new Map<string, number | undefined>();
  let residentBytes = 0;
  for (const { what, route, url } of calls) {
    if (!server.isServed(route)) {
      p95.set(what, undefined);
      continue;
    }
    const accept = url.includes("/flamegraph/")
      ? "application/vnd.flamekeep.flamegraph.v3"
      : "application/json";
    const times: number[] = [];
    for (let round = 0; round < warmUps + rounds; round++) {
      const startedAt = performance.now();
      const { status, bytes } = await server.get(url, accept);
      if (status !== 200 || bytes < 2) throw new Error(`${url} answered ${status}`);
      if (round >= warmUps) times.push(performance.now() - startedAt);
    }
    residentBytes = Math.max(residentBytes, usageOf(process.pid).residentBytes);
    p95.set(what, quantile(times, 0.95));
    process.stderr.write(
      `    ${what}: p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms\n`,
    );
  }
  return { p95, residentBytes };
}
