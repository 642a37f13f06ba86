import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { hashPassword } from "@flamekeep/server/auth/passwords/password.ts";
import { passwordCostDefault } from "@flamekeep/server/auth/passwords/password-cost.ts";
import { measureIngestion } from "./ingestion-during-sign-ins.ts";
import { startUnderLoad } from "./load/conditions.ts";
import { atMost, type BenchResult, type Measurement, quantile } from "./result.ts";
import { AccountClient, type Person } from "./security/account-client.ts";
import { differenceOf, interleaved } from "./security/compare-times.ts";
import { runInjectionTest } from "./security/injection.ts";
import { measureKeyChecks } from "./security/key-checks.ts";
import { signInAll } from "./security/sign-ins.ts";

const rounds = Number(process.env.BENCH_REFRESH_ROUNDS ?? 1000);
const parallel = 20;
const tries = 200;
const warmUp = 20;
const graceMs = 20_000;

/** Injection strings, checks of API keys, refreshes by many tabs, the times of replies for addresses with and without an account, and sign-ins at once. */
export async function benchSecurity(): Promise<BenchResult> {
  const alone = [...(await runInjectionTest()), ...(await measureKeyChecks())];
  // Each request names another address of origin, so that the limits on addresses do not end the bench.
  await using server = await startUnderLoad({ TRUSTED_PROXIES: "127.0.0.1" });
  const client = new AccountClient(server.url);
  const people = await client.registerAll(warmUp + tries);
  const measurements = [
    ...alone,
    ...(await measureRefreshes(client)),
    ...(await measureEnumeration(client, people)),
    ...(await measureSignIns(client, people)),
    ...(await measureIngestion(server.url, client, people)),
  ];
  return {
    name: "security",
    input: `${rounds} rounds of ${parallel} refreshes at once; ${tries} tries each for addresses with and without an account`,
    measurements,
  };
}

async function measureRefreshes(client: AccountClient): Promise<Measurement[]> {
  let token = (await client.register()).refreshToken;
  let refused = 0;
  let split = 0;
  for (let round = 0; round < rounds; round++) {
    const replies = await Promise.all(Array.from({ length: parallel }, () => client.refresh(token)));
    const children = new Set(replies.flatMap(({ refreshToken }) => refreshToken ?? []));
    refused += replies.filter(({ status }) => status !== 200).length;
    split += Math.max(0, children.size - 1);
    const [child] = children;
    if (child === undefined) throw new Error("every refresh of a round was refused");
    token = child;
  }
  const alone: number[] = [];
  let spent = token;
  for (let i = 0; i < tries; i++) {
    const reply = await client.refresh(token);
    alone.push(reply.ms);
    spent = token;
    token = reply.refreshToken ?? token;
  }
  await sleep(graceMs + 500);
  const replay = await client.refresh(spent);
  const after = await client.refresh(token);
  const surviving = [replay, after].filter(({ status }) => status !== 401).length;
  return [
    { what: "refreshes refused in the grace", value: refused, unit: "requests", bar: atMost(0, true) },
    { what: "chains split", value: split, unit: "tokens", bar: atMost(0, true) },
    { what: "tokens alive after a replay", value: surviving, unit: "tokens", bar: atMost(0, true) },
    { what: "refresh alone, p50", value: quantile(alone, 0.5), unit: "ms", bar: atMost(10) },
    { what: "refresh alone, p95", value: quantile(alone, 0.95), unit: "ms" },
  ];
}

async function measureEnumeration(client: AccountClient, people: readonly Person[]): Promise<Measurement[]> {
  const known = people.map(({ email }) => email);
  const unknown = people.map(({ email }) => email.replace("person", "nobody"));
  const login = (email: string) => client.login(email, "not the password");
  const forgot = (email: string) => client.forgot(email);
  const reports: Measurement[] = [];
  for (const [name, call] of [
    ["login", login],
    ["forgot password", forgot],
  ] as const) {
    const [a, b] = await interleaved(known, unknown, { call, warmUp });
    const { medians, percent, noisePercent } = differenceOf(a, b);
    reports.push(
      { what: `${name}, account, median`, value: medians[0], unit: "ms" },
      { what: `${name}, no account, median`, value: medians[1], unit: "ms" },
      { what: `${name}, difference of medians`, value: percent, unit: "%", bar: atMost(5) },
      { what: `${name}, difference within one kind`, value: noisePercent, unit: "%" },
    );
  }
  return reports;
}

async function measureSignIns(client: AccountClient, people: readonly Person[]): Promise<Measurement[]> {
  const times: number[] = [];
  const hashTimes: number[] = [];
  for (let at = 0; at + parallel <= people.length; at += parallel) {
    times.push(...(await signInAll(client, people.slice(at, at + parallel))));
    hashTimes.push(...(await hashAll(parallel)));
  }
  const [signIns, hashes] = [quantile(times, 0.95), quantile(hashTimes, 0.95)];
  return [
    { what: `${parallel} password hashes at once and nothing else, p95`, value: hashes, unit: "ms" },
    { what: `${parallel} sign-ins at once, p50`, value: quantile(times, 0.5), unit: "ms" },
    { what: `${parallel} sign-ins at once, p95`, value: signIns, unit: "ms", bar: atMost(150) },
    { what: "sign-ins over hashes alone, p95", value: signIns / hashes, unit: "x" },
  ];
}

/** Hashes `count` passwords at once. Returns how long each waited, in milliseconds: the part of a sign-in that only the machine can make shorter. */
function hashAll(count: number): Promise<number[]> {
  const startedAt = performance.now();
  const hash = async () => {
    await hashPassword("the password of somebody", passwordCostDefault);
    return performance.now() - startedAt;
  };
  return Promise.all(Array.from({ length: count }, hash));
}
