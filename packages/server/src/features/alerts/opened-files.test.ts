import { minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { runAlerts } from "./job.ts";

const at = "2026-11-20T12:00:00.000Z";
const nowMs = Date.parse(at);
let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at });
});
afterAll(() => server.close());

/** Ten seconds of CPU. */
function cpu(encodeMs: number): Buffer {
  const picture = `
      main                main
      encode              query
      ${encodeMs * 1e6}   200000000`;
  const profile = profileOf(picture, { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n });
  return Buffer.from(writeProfile(profile));
}

it("the same rise raises an alert about a service that sends, and none about files that a person opened", async () => {
  const ada = await server.signUp();
  const { headers } = await server.makeKey(ada);
  for (let index = 0; index < 45; index++) {
    const ms = nowMs + (2 * index - 90) * minuteMs;
    const body = cpu((index >= 30 ? 260 : 100) + (index % 5));
    const query = { type: "cpu", started_at: new Date(ms).toISOString(), file: `cpu-${index}.pb.gz` };
    await server.send(body, { headers, query: { ...query, service: "sending" } });
    const opened = await server.app.inject({
      method: "POST",
      url: "/api/v1/protected/profiles",
      query: { ...query, service: "opened" },
      headers: ada.headers,
      payload: body,
    });
    expect(opened.statusCode).toBe(200);
  }
  server.clock.advance(2 * minuteMs);
  await runAlerts(server.ctx, { name: "alerts", holder: "this test", lastsMs: minuteMs });
  const alerts = server.rows.selectFrom("alerts").select("service").where("orgId", "=", ada.orgId);
  expect((await alerts.execute()).map(({ service }) => service)).toEqual(["sending"]);
});
