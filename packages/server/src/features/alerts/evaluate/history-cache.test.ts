import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { evaluateOrganization } from "./evaluate-organization.ts";

const at = "2026-11-20T10:00:00.000Z";
const nowMs = Date.parse(at);
const everyMs = 10 * minuteMs;
const busyMs = 150 * minuteMs;

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at });
});
afterAll(() => server.close());

interface Sender {
  readonly orgId: string;
  readonly headers: Record<string, string>;
}

async function organization(): Promise<Sender> {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  return { orgId: person.orgId, headers };
}

/**
 * The hours around the busy morning: those of former days are what its rise is compared with. One profile in each other hour, as a service
 * that runs all day sends.
 */
const isAroundMorning = (startMs: number) =>
  startMs % hourMs === 0 || (startMs - nowMs + 60 * dayMs + 2 * hourMs) % dayMs < busyMs + 3 * hourMs;

/** Ten seconds of CPU every ten minutes, twice as much in the morning of every other day. */
async function send(
  { headers }: Sender,
  fromMs: number,
  toMs: number,
  isSent: (startMs: number) => boolean = () => true,
): Promise<void> {
  const all = Array.from({ length: (toMs - fromMs) / everyMs }, (_, index) => fromMs + index * everyMs);
  const starts = all.filter(isSent);
  await Promise.all(
    starts.map((startMs) => {
      const sinceBusyMs = (startMs - nowMs + 60 * dayMs) % (2 * dayMs);
      const wobble = (startMs / everyMs) % 5;
      const ns = (sinceBusyMs < busyMs ? 600 : 300) * 1e6 * (1 + wobble / 100);
      const query = { service: "orders", type: "cpu", started_at: new Date(startMs).toISOString() };
      const options = { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n } as const;
      return server.send(writeProfile(profileOf(`\nmain\n${Math.round(ns)}`, options)), { headers, query });
    }),
  );
}

it("profiles that arrive later count before an alert opens", async () => {
  const [late, early, never] = [await organization(), await organization(), await organization()];
  const opened = async ({ orgId }: Sender) => (await evaluateOrganization(server.ctx, orgId)).opened;
  const weeksMs = nowMs - 21 * dayMs;
  const lastMs = nowMs - 26 * hourMs;
  for (const each of [late, early, never]) await send(each, lastMs, nowMs);
  await send(early, weeksMs, lastMs, isAroundMorning);
  // The first round reads a day more than the others.
  for (const minutes of [2, 5]) {
    server.clock.advance(minutes * minuteMs);
    for (const each of [late, early, never]) expect(await opened(each)).toBe(0);
  }
  await send(late, weeksMs, lastMs, isAroundMorning);
  server.clock.advance(busyMs);
  for (const each of [late, early, never]) await send(each, nowMs, nowMs + busyMs);
  expect([await opened(never), await opened(early), await opened(late)]).toEqual([1, 0, 0]);
});
