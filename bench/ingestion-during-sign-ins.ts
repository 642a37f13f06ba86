import { setTimeout as sleep } from "node:timers/promises";
import { signUp } from "@flamekeep/e2e/sign-up";
import { loadServices } from "./load/conditions.ts";
import { refusedOf, runLoad } from "./load/run-load.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atMost, type Measurement, quantile } from "./result.ts";
import type { AccountClient, Person } from "./security/account-client.ts";
import { signInAll } from "./security/sign-ins.ts";

const atOnce = 20;
const uploadsPerSecond = 20;
const connections = 64;
const seconds = 20;
const warmUpSeconds = 5;
/**
 * In turn without and with sign-ins, so that a change of the machine's speed meets both. The percentiles are those of all rounds
 * together: one round has 400 uploads, and the fourth slowest of them is mostly chance.
 */
const rounds = 5;
/** From the end of one wave of sign-ins to the next. */
const pauseMs = 2_000;

/** How long acknowledgements take while 20 people sign in at once, again and again, and while nobody does. */
export async function measureIngestion(
  url: string,
  client: AccountClient,
  people: readonly Person[],
): Promise<Measurement[]> {
  const { key } = await signUp(url);
  const profiles = typicalCpuProfiles(4).map(({ body }) => body);
  const upload = (duration: number) =>
    runLoad({
      url,
      key,
      profiles,
      services: loadServices,
      seconds: duration,
      connections,
      perSecond: uploadsPerSecond,
    });
  await upload(warmUpSeconds);
  const alone: number[] = [];
  const during: number[] = [];
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    const quiet = await upload(seconds);
    const ending = new AbortController();
    const signingIn = signInInWaves(client, people, ending.signal);
    const busy = await upload(seconds).finally(() => ending.abort());
    await signingIn;
    alone.push(...quiet.latenciesMs);
    during.push(...busy.latenciesMs);
    refused += refusedOf(quiet) + refusedOf(busy);
  }
  const [before, after] = [quantile(alone, 0.99), quantile(during, 0.99)];
  return [
    { what: "acknowledgement without sign-ins, p50", value: quantile(alone, 0.5), unit: "ms" },
    { what: "acknowledgement during sign-ins, p50", value: quantile(during, 0.5), unit: "ms" },
    { what: "acknowledgement without sign-ins, p99", value: before, unit: "ms" },
    { what: "acknowledgement during sign-ins, p99", value: after, unit: "ms" },
    { what: "p99 during sign-ins over without", value: after / before, unit: "x", bar: atMost(1.2) },
    { what: "uploads refused or broken", value: refused, unit: "requests", bar: atMost(0, true) },
  ];
}

async function signInInWaves(
  client: AccountClient,
  people: readonly Person[],
  ended: AbortSignal,
): Promise<void> {
  for (let at = 0; !ended.aborted; at = (at + atOnce) % (people.length - atOnce)) {
    await signInAll(client, people.slice(at, at + atOnce));
    await sleep(pauseMs, undefined, { signal: ended }).catch(() => undefined);
  }
}
