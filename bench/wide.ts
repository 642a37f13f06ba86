import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { WideSet } from "./million/data-set.ts";
import { type Reader, startServer } from "./million/server.ts";
import { sendTemplates } from "./million/templates.ts";
import { childrenOf, cpuMsOf, usageOf } from "./processes.ts";
import { atMost, type BenchResult, quantile } from "./result.ts";
import { wideCalls } from "./wide/calls.ts";
import { addOrganizations, fillRows } from "./wide/row-fill.ts";

const servicesOfMost = 50;
const organizations = 100;
const ratioMax = 1.5;
/** Below this, a ratio is the machine's noise. */
const noiseMs = 2;
const rounds = 12;
const warmUps = 2;
/** The largest organization has fewer rounds, because each takes long. */
const roundsPerLargest = 4;
const largestName = "largest";
/** The last hour is over, and so is the time in which late profiles are waited for. */
const at = new Date("2026-11-20T12:10:00.000Z");
const makeFile = fileURLToPath(new URL("./wide-make.ts", import.meta.url));

/**
 * Lists and summaries of an organization of 50 services alone in a store, over the same calls of an organization of 50 and of one of
 * thousands in a store of BENCH_SERVICES (10,000) services and 100 organizations, in turn.
 */
export async function benchWide(): Promise<BenchResult> {
  const services = Number(process.env.BENCH_SERVICES ?? 10_000);
  const hours = Number(process.env.BENCH_HOURS ?? 6);
  const kept = process.env.BENCH_DATA || undefined;
  const folder = kept ?? mkdtempSync(join(tmpdir(), "flamekeep-wide-"));
  const loads = loadavg().map((load) => load.toFixed(1));
  try {
    const narrowDir = await madeIn(join(folder, "narrow"), { services: servicesOfMost, hours, others: 0 });
    const wideDir = await madeIn(join(folder, `wide-${services}`), {
      services,
      hours,
      others: organizations - 2,
    });
    const largest = services - (organizations - 1) * servicesOfMost;
    return {
      name: "wide",
      input:
        `${services} services of ${organizations} organizations, ${hours} h, a profile an hour of three types for each; ` +
        `an organization of ${servicesOfMost} services alone, among the others, and the largest, of ${largest} (fewer calls); p50 and CPU of ${rounds} calls, ` +
        `each a minute later; load before ${loads.join(" ")}`,
      measurements: await measured(narrowDir, wideDir),
    };
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

interface Size {
  readonly services: number;
  readonly hours: number;
  /** Organizations that nobody signs in to. */
  readonly others: number;
}

/** Makes a store, or finds it where an earlier run has kept it. */
async function madeIn(dataDir: string, { services, hours, others }: Size): Promise<string> {
  const noted = join(dataDir, "made");
  if (existsSync(noted)) return dataDir;
  mkdirSync(dataDir, { recursive: true });
  let templateOrgId: string;
  {
    await using server = await startServer(dataDir, at, "templates");
    await sendTemplates(server, at);
    templateOrgId = server.orgId;
    await server.rollUp();
  }
  let set: WideSet;
  {
    await using server = await startServer(dataDir, at, "reader");
    const { orgId, ctx } = server;
    const otherIds = await addOrganizations(ctx, others, at);
    const last = others === 0 ? [] : [(await server.readerIn("largest")).orgId];
    const orgIds = [orgId, ...otherIds, ...last];
    const restOf = (index: number) =>
      index < orgIds.length - 1 ? servicesOfMost : services - servicesOfMost * (orgIds.length - 1);
    for (const [index, id] of orgIds.entries())
      await fillRows(ctx, { orgId: id, services: restOf(index), at });
    const firstMs = Math.floor(at.getTime() / hourMs) * hourMs;
    const starts = Array.from({ length: hours }, (_, hour) => new Date(firstMs - (hours - hour) * hourMs));
    set = { orgId, templateOrgId, orgIds, servicesOfMost, services, hours: starts };
  }
  const startedAt = performance.now();
  // In a separate process: the engine's memory for making a data set must not count as the server's.
  execFileSync(process.execPath, [makeFile, dataDir], {
    input: JSON.stringify(set),
    stdio: ["pipe", "inherit", "inherit"],
  });
  const made = performance.now();
  {
    await using server = await startServer(dataDir, at, "reader");
    while ((await server.rollUp()) > 0);
  }
  const seconds = (ms: number) => (ms / 1000).toFixed(0);
  process.stderr.write(
    `  ${services} services made in ${seconds(made - startedAt)} s, rolled up in ${seconds(performance.now() - made)} s\n`,
  );
  writeFileSync(noted, "");
  return dataDir;
}

interface Timed {
  readonly ms: number[];
  readonly cpuMs: number[];
  bytes: number;
}

async function measured(narrowDir: string, wideDir: string): Promise<BenchResult["measurements"]> {
  let nowMs = at.getTime();
  const clock = () => new Date(nowMs);
  await using narrow = await startServer(narrowDir, clock, "reader");
  await using wide = await startServer(wideDir, clock, "reader");
  const readers: readonly (readonly [string, Reader])[] = [
    ["alone", narrow],
    ["among 100", wide],
    [largestName, await wide.readerIn("largest")],
  ];
  await untilIdle();
  const cpu = cpuMsOf(childrenOf(process.pid));
  const only = process.env.BENCH_CALLS?.split(",");
  const results: BenchResult["measurements"][number][] = [];
  for (const { what, url, isWhole = false } of wideCalls) {
    if (only !== undefined && !only.includes(what)) continue;
    const times = new Map(readers.map(([name]) => [name, { ms: [], cpuMs: [], bytes: 0 } as Timed]));
    for (const [, reader] of readers) await reader.renew();
    for (let round = 0; round < warmUps + rounds; round++) {
      nowMs += minuteMs;
      for (const [name, reader] of readers) {
        if (name === largestName && round % roundsPerLargest !== 0) continue;
        const timed = times.get(name)!;
        const call = await timedCall(reader, url, cpu);
        if (round < warmUps) continue;
        timed.ms.push(call.ms);
        timed.cpuMs.push(call.cpuMs);
        timed.bytes = call.bytes;
      }
    }
    results.push(...ratios(what, times, isWhole));
  }
  return results;
}

async function timedCall(reader: Reader, url: string, cpu: () => number) {
  const before = cpu();
  const startedAt = performance.now();
  const { status, bytes, json } = await reader.get(url);
  const ms = performance.now() - startedAt;
  const cpuMs = cpu() - before;
  if (status !== 200) throw new Error(`${url} answered ${status} ${JSON.stringify(json())}`);
  return { ms, cpuMs, bytes };
}

function ratios(
  what: string,
  times: ReadonlyMap<string, Timed>,
  isWhole: boolean,
): BenchResult["measurements"][number][] {
  const [alone, ...others] = [...times].map(([name, { ms, cpuMs, bytes }]) => ({
    name,
    ms: quantile(ms, 0.5),
    cpuMs: quantile(cpuMs, 0.5),
    bytes,
  }));
  const ratio = (after: number, before: number) => Math.max(after, noiseMs) / Math.max(before, noiseMs);
  const line = [alone!, ...others].map(
    (each) => `${each.ms.toFixed(1)} ms (CPU ${each.cpuMs.toFixed(1)}, ${each.bytes} B)`,
  );
  process.stderr.write(`    ${what}: ${line.join(", ")}\n`);
  return [
    { what: `${what}, alone`, value: alone!.ms, unit: "ms" },
    ...others.flatMap(({ name, ms, cpuMs }) => {
      const isReported = isWhole && name === largestName;
      const bar = (isHeld: boolean) => (isReported ? {} : { bar: atMost(ratioMax, isHeld) });
      return [
        { what: `${what}, ${name}`, value: ratio(ms, alone!.ms), unit: "x", ...bar(false) },
        {
          what: `${what}, ${name}, CPU`,
          value: ratio(cpuMs, alone!.cpuMs),
          unit: "x",
          ...bar(name !== largestName),
        },
      ];
    }),
  ];
}

async function untilIdle(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const { cpuSeconds } = usageOf(process.pid);
    await sleep(2000);
    if (usageOf(process.pid).cpuSeconds - cpuSeconds < 0.2) return;
  }
}
