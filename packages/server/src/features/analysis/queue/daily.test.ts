import { minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { queueDaily } from "./daily.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

it("a service that sends is queued, and one of files that a person opened is not", async () => {
  const ada = await server.signUp();
  const { headers } = await server.makeKey(ada);
  const profile = profileOf("main\n10000000000", {
    sampleTypes: ["cpu/nanoseconds"],
    durationNs: 10_000_000_000n,
  });
  const payload = Buffer.from(writeProfile(profile));
  for (const minutesAgo of [4, 3, 2]) {
    const started_at = new Date(server.clock.now().getTime() - minutesAgo * minuteMs).toISOString();
    const query = { type: "cpu", started_at, file: `${minutesAgo}.pb.gz` };
    await server.send(payload, { headers, query: { ...query, service: "sending" } });
    const opened = { ...query, service: "opened" };
    const url = "/api/v1/protected/profiles";
    const reply = await server.app.inject({
      method: "POST",
      url,
      query: opened,
      headers: ada.headers,
      payload,
    });
    expect(reply.statusCode).toBe(200);
  }
  expect(await queueDaily(server.ctx, new Map())).toBe(1);
  const queued = server.rows.selectFrom("analyses").select("service").where("orgId", "=", ada.orgId);
  expect((await queued.execute()).map(({ service }) => service)).toEqual(["sending"]);
});
