import { minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getProgress, storeProgress } from "#alerts/store/queries.ts";
import type { Context } from "#context";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { evaluateOrganization } from "./evaluate-organization.ts";
import { LearningBudget } from "./learning-budget.ts";

const at = "2026-11-20T12:00:00.000Z";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at });
});
afterAll(() => server.close());

it("continues at the current time after the clock was years ahead", async () => {
  const { orgId } = await server.signUp();
  const ahead = "2030-11-20T12:00:00.000Z";
  await storeProgress(server.ctx.rows, orgId, { evaluatedTo: ahead, lookedAt: ahead });
  await evaluateOrganization(server.ctx, orgId);
  const progress = await getProgress(server.ctx.rows, orgId);
  expect(Date.parse(progress!.evaluatedTo)).toBeLessThan(Date.parse("2026-11-20T12:00:00.000Z"));
});

describe("after a start with more series than a round learns", () => {
  const services = ["cart", "orders", "search"];

  it("the others follow in the next rounds, with the same alerts, each once", async () => {
    const [limited, unlimited] = [await organization(), await organization()];
    expect((await evaluateOrganization(server.ctx, unlimited)).opened).toBe(services.length);

    for (const known of [1, 2, 3]) {
      expect(await getProgress(server.ctx.rows, limited)).toBeUndefined();
      const { opened, judged } = await evaluateOrganization(server.ctx, limited, new LearningBudget(1));
      expect([opened, judged?.series.length]).toEqual([1, known]);
    }
    expect(await getProgress(server.ctx.rows, limited)).toEqual(
      await getProgress(server.ctx.rows, unlimited),
    );
    expect(await alertsOf(limited)).toEqual(await alertsOf(unlimited));
    expect((await evaluateOrganization(server.ctx, limited)).opened).toBe(0);
  });

  it("another process judges those that waited, and no alert twice", async () => {
    const orgId = await organization();
    expect((await evaluateOrganization(server.ctx, orgId, new LearningBudget(1))).opened).toBe(1);
    expect((await evaluateOrganization(otherProcess(), orgId)).opened).toBe(2);
    expect((await alertsOf(orgId)).map(({ service }) => service)).toEqual(services);
  });

  it("a round that is stopped judges nothing more, and the next one all", async () => {
    const orgId = await organization();
    const stopped = await evaluateOrganization(server.ctx, orgId, undefined, AbortSignal.abort());
    expect([stopped.opened, stopped.judged]).toEqual([0, undefined]);
    expect(await getProgress(server.ctx.rows, orgId)).toBeUndefined();
    expect((await evaluateOrganization(server.ctx, orgId)).opened).toBe(services.length);
  });

  /** An organization whose services all became worse half an hour ago. */
  async function organization(): Promise<string> {
    const person = await server.signUp();
    const { headers } = await server.makeKey(person);
    const sent: Promise<unknown>[] = [];
    for (let minute = -90; minute < -1; minute += 2) {
      const started = Date.parse(at) + minute * minuteMs;
      const query = { type: "cpu", started_at: new Date(started).toISOString() };
      const profile = cpu(minute < -30 ? 300 : 500, minute % 5);
      for (const service of services)
        sent.push(server.send(profile, { headers, query: { ...query, service } }));
    }
    await Promise.all(sent);
    return person.orgId;
  }
});

/** Of four thousand uploads. */
it.runIf(isFullLength)(
  "an instance that often has bursts opens no alert until one lasts longer",
  async () => {
    const [often, first] = [await withBursts([26, 29, 32]), await withBursts([])];
    expect((await evaluateOrganization(server.ctx, often)).opened).toBe(0);
    expect((await evaluateOrganization(server.ctx, first)).opened).toBe(1);

    /** Six instances, one of them with twice the CPU in the last half hour, and for as long at each of these hours before. */
    async function withBursts(hoursBefore: readonly number[]): Promise<string> {
      const person = await server.signUp();
      const { headers } = await server.makeKey(person);
      const isBurst = (minute: number) =>
        minute >= -32 || hoursBefore.some((hours) => minute >= -60 * hours && minute < -60 * hours + 40);
      let sent: Promise<unknown>[] = [];
      for (let minute = -34 * 60; minute < -1; minute += 6) {
        for (let instance = 0; instance < 6; instance++) {
          const query = {
            service: "cart",
            type: "cpu",
            started_at: new Date(Date.parse(at) + minute * minuteMs + instance * 1000).toISOString(),
            "tag.instance": `pod-${instance}`,
          };
          const profile = cpu(instance === 3 && isBurst(minute) ? 600 : 300, (minute * 7 + instance) % 5);
          sent.push(server.send(profile, { headers, query }));
        }
        if (sent.length < 100) continue;
        await Promise.all(sent);
        sent = [];
      }
      await Promise.all(sent);
      // As after a round an hour ago: the earlier bursts are in no recent profile.
      const evaluatedTo = new Date(Date.parse(at) - 60 * minuteMs).toISOString();
      await storeProgress(server.ctx.rows, person.orgId, {
        evaluatedTo,
        lookedAt: "2026-11-20T12:00:00.001Z",
      });
      return person.orgId;
    }
  },
);

/** Ten seconds of CPU. */
function cpu(ms: number, wobble: number): Uint8Array {
  const ns = Math.round(ms * 1e6 * (1 + wobble / 100));
  const options = { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n } as const;
  return writeProfile(profileOf(`\nmain\n${ns}`, options));
}

/** Knows nothing that the first one learnt. */
function otherProcess(): Context {
  return { ...server.ctx, columns: Object.create(server.ctx.columns) };
}

async function alertsOf(orgId: string) {
  return await server.ctx.rows
    .selectFrom("alerts")
    .select(["service", "openedAt", "increase"])
    .where("orgId", "=", orgId)
    .orderBy("service")
    .execute();
}
